#include "tensor/hdf5.h"

#include <gmock/gmock.h>
#include <hdf5.h>

#include "support/files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// An HDF5 file under construction; closed when it goes out of scope.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Writer() { H5Fclose(file_); }

  void add(const std::string& name, const std::vector<hsize_t>& shape,
           const std::vector<float>& values, hid_t type = H5T_IEEE_F32LE,
           hid_t creation = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set =
        H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (!values.empty())
      H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Sclose(space);
  }
  hid_t id() const { return file_; }

 private:
  hid_t file_;
};

hid_t half_precision() {
  const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, 10, 5, 0, 10);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, 15);
  return type;
}

hid_t chunked(hsize_t rows, hsize_t columns, bool deflate) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {rows, columns};
  H5Pset_chunk(creation, 2, chunk);
  if (deflate) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
  }
  return creation;
}

}  // namespace

TEST(Hdf5, ReadsPlainChunkedAndCompressedDataSets) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("plain", {2, 2}, {1, 2, 3, 4});
    writer.add("chunked", {2, 2}, {1, 2, 3, 4}, H5T_IEEE_F64BE, chunked(1, 2, false));
    writer.add("compressed", {2, 2}, {1, 2, 3, 4}, half_precision(), chunked(2, 1, true));
  }
  const Hdf5File file(folder / "a.h5");
  EXPECT_EQ(file.contents().data_sets.size(), 3);
  EXPECT_EQ(file.contents().data_sets[1].type, DType::f16);  // by name: chunked, compressed, plain
  for (const char* name : {"plain", "chunked", "compressed"})
    EXPECT_THAT(to_doubles(file.read(name).view()), ElementsAre(1, 2, 3, 4)) << name;
}

TEST(Hdf5, ReadsIntegersAndGroups) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    H5Gclose(H5Gcreate2(writer.id(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    writer.add("group/v_a", {3}, {-1, 2, 3}, H5T_STD_I16BE);
  }
  const Hdf5File file(folder / "a.h5");
  EXPECT_EQ(file.contents().data_sets.at(0).name, "group/v_a");
  EXPECT_TRUE(file.contains("group/v_a"));
  EXPECT_FALSE(file.contains("group/v_b"));
  EXPECT_THAT(to_doubles(file.read("group/v_a").view()), ElementsAre(-1, 2, 3));
  EXPECT_EQ(error_of([&] { file.read("v_b"); }),
            (folder / "a.h5").string() + ": v_b: no such data set");
  EXPECT_EQ(error_of([&] { file.read("group"); }),
            (folder / "a.h5").string() + ": group: is not a data set");
}

TEST(Hdf5, RefusesLinksThatLeadElsewhere) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("real", {1}, {1});
    H5Lcreate_soft("/real", writer.id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("/etc/passwd", "/x", writer.id(), "external", H5P_DEFAULT, H5P_DEFAULT);
  }
  const Hdf5File file(folder / "a.h5");
  const std::string name = (folder / "a.h5").string(),
                    refusal = ": is a link, which is refused (expected the data set itself)";
  EXPECT_EQ(error_of([&] { file.read("soft"); }), name + ": soft" + refusal);
  EXPECT_EQ(error_of([&] { file.read("external"); }), name + ": external" + refusal);
  const Hdf5Contents contents = file.contents();
  EXPECT_EQ(contents.data_sets.size(), 1);
  EXPECT_THAT(contents.refused,
              ElementsAre(name + ": external" + refusal, name + ": soft" + refusal));
}

TEST(Hdf5, ListsAnObjectWithManyNamesOnceAndEndsInACircle) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("first", {1}, {1});
    H5Lcreate_hard(writer.id(), "first", writer.id(), "second", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(writer.id(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_hard(writer.id(), "group", writer.id(), "group/again", H5P_DEFAULT, H5P_DEFAULT);
  }
  const Hdf5File file(folder / "a.h5");
  EXPECT_EQ(file.contents().data_sets.size(), 1);
  EXPECT_THAT(to_doubles(file.read("second").view()), ElementsAre(1));
}

TEST(Hdf5, RefusesFiltersItDoesNotHave) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    const hid_t creation = chunked(1, 1, false);
    H5Pset_filter(creation, 32000, H5Z_FLAG_OPTIONAL, 0, nullptr);  // h5py's lzf
    writer.add("lzf", {1, 1}, {}, H5T_IEEE_F32LE, creation);
    const hid_t twice = chunked(1, 1, true);
    H5Pset_deflate(twice, 6);
    writer.add("twice", {1, 1}, {1}, H5T_IEEE_F32LE, twice);
  }
  const Hdf5File file(folder / "a.h5");
  EXPECT_EQ(error_of([&] { file.read("lzf"); }),
            (folder / "a.h5").string() +
                ": lzf: is compressed with filter (32000), which is not supported (expected gzip, "
                "shuffle, szip or none)");
  EXPECT_EQ(error_of([&] { file.read("twice"); }),
            (folder / "a.h5").string() + ": twice: is compressed twice over");
}

TEST(Hdf5, RefusesChunksThatTheFileDoesNotHold) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    const hsize_t shape[] = {1, 16}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const hid_t space = H5Screate_simple(2, shape, most), creation = chunked(1, 500'000'000, true);
    const hid_t set =
        H5Dcreate2(writer.id(), "wide", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
  }
  EXPECT_EQ(error_of([&] { Hdf5File(folder / "a.h5").read("wide"); }),
            (folder / "a.h5").string() +
                ": wide: chunks of [1, 500000000] cannot come from 0 stored bytes");
}

TEST(Hdf5, ReadsWhatWasNeverWrittenAsFillValues) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("hole", {2, 2}, {}, H5T_IEEE_F32LE, chunked(1, 2, false));
  }
  EXPECT_THAT(to_doubles(Hdf5File(folder / "a.h5").read("hole").view()), ElementsAre(0, 0, 0, 0));
}

TEST(Hdf5, RefusesDataInOtherFiles) {
  const TemporaryFolder folder;
  folder.write("secret", "12345678");
  {
    Writer writer(folder / "a.h5");
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, (folder / "secret").c_str(), 0, 8);
    writer.add("outside", {2}, {}, H5T_IEEE_F32LE, creation);
  }
  EXPECT_EQ(
      error_of([&] { Hdf5File(folder / "a.h5").read("outside"); }),
      (folder / "a.h5").string() + ": outside: keeps its data in another file, which is refused");
}

TEST(Hdf5, RefusesSizesThatTheFileDoesNotHold) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("huge", {1'000'000, 250'000}, {}, H5T_IEEE_F32LE, chunked(1000, 1000, true));
  }
  EXPECT_EQ(error_of([&] { Hdf5File(folder / "a.h5").read("huge"); }),
            (folder / "a.h5").string() +
                ": huge: [1000000, 250000] float32 cannot come from 0 stored bytes");
}

TEST(Hdf5, RefusesTextsAndDamage) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.h5");
    writer.add("text", {1}, {}, H5T_C_S1);
    writer.add("numbers", {1000}, std::vector<float>(1000, 1));
  }
  const auto path = folder / "a.h5";
  EXPECT_EQ(Hdf5File(path).contents().data_sets.size(), 1);
  EXPECT_THAT(Hdf5File(path).contents().refused,
              ElementsAre(path.string() + ": text: expected numbers"));
  EXPECT_EQ(error_of([&] { Hdf5File(path).read("text"); }),
            path.string() + ": text: expected numbers");
  const auto cut = folder.write("cut.h5", contents_of(path).substr(0, 1000));
  EXPECT_EQ(error_of([&] { Hdf5File file(cut); }),
            cut.string() + ": is damaged or cut short (HDF5 cannot open it)");
  const auto text = folder.write("text.h5", "not HDF5 at all");
  EXPECT_EQ(error_of([&] { Hdf5File file(text); }), text.string() + ": is not an HDF5 file");
}

TEST(Hdf5, ReadsRealFeatures) {
  PDVC_NEEDS_SHARED("data/features/tsp_five_videos.h5");
  const Hdf5File file(shared_file("data/features/tsp_five_videos.h5"));
  const auto sets = file.contents().data_sets;
  ASSERT_EQ(sets.size(), 5);
  EXPECT_EQ(file.read(sets[0].name).shape().at(1), 512);
}

}  // namespace pdvc
