// Ctrl-C as a question that long loops ask, so that finished work is kept.
#pragma once

namespace pdvc {

// From now on the first SIGINT or SIGTERM is only remembered; one that comes more than a second
// later ends the process at once.
void catch_interrupts();

bool interrupt_requested();

// Throws Interrupted when the user has asked to stop.
void check_interrupt();

}  // namespace pdvc
