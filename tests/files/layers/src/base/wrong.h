// Points the wrong way on purpose: check_layers must find it.
#include "data/settings.h"
