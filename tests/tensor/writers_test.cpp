#include "support/files.h"
#include "tensor/hdf5.h"
#include "tensor/hdf5_writer.h"
#include "tensor/npy.h"
#include "tensor/npy_writer.h"

namespace pdvc {
namespace {

Array counting(const Shape& shape) {
  Array array(DType::f32, shape);
  float value = 0;
  for (float& x : array.floats()) x = value++;
  return array;
}

void expect_counting(const Array& array, const Shape& shape) {
  ASSERT_EQ(array.shape(), shape);
  for (size_t i = 0; i < array.floats().size(); ++i)
    EXPECT_EQ(array.floats()[i], static_cast<float>(i));
}

}  // namespace

TEST(NpyWriter, WritesWhatTheReaderReads) {
  const TemporaryFolder folder;
  for (const Shape& shape : {Shape{3, 4}, Shape{7}, Shape{0, 5}, Shape{2, 3, 4}}) {
    write_npy(folder / "a.npy", counting(shape).view());
    expect_counting(read_npy(folder / "a.npy"), shape);
  }
  EXPECT_EQ(contents_of(folder / "a.npy").find('\n') % 64, 63u) << "numpy aligns its data";
}

TEST(Hdf5Writer, WritesWhatTheReaderReads) {
  const TemporaryFolder folder;
  write_hdf5(folder / "a.h5", {{"one",
                                [] {
                                  return counting({3, 4});
                                }},
                               {"group/two", [] {
                                  return counting({5, 2});
                                }}});
  const Hdf5File file(folder / "a.h5");
  ASSERT_EQ(file.contents().data_sets.size(), 2u);
  expect_counting(file.read("one"), {3, 4});
  expect_counting(file.read("group/two"), {5, 2});
}

TEST(Hdf5Writer, LeavesNothingBehindWhenItFails) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_hdf5(folder / "a.h5", {{"one", []() -> Array { fail("unreadable"); }}}),
               Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(write_hdf5(folder / "none/a.h5", {}), Error);
}

}  // namespace pdvc
