import PortolanArchives
import PortolanFeatures
import Testing

@testable import PortolanPackages

/// The errors of packages that follow from faults of archives and geodatabases.
@Suite struct PackageErrorTests {
  @Test(
    arguments: [
      (.unreadable(file: "f", reason: "r"), .unreadable(file: "p", reason: "r")),
      (
        .unwritable(file: "t", reason: "r"),
        .unreadable(file: "p", reason: "it cannot be decompressed to t: r")
      ),
      (
        .noSpace(file: "f", entry: "e", needed: 7, available: 5),
        .noSpace(file: "p", needed: 7, available: 5)
      ),
      (.notAnArchive(file: "f"), .notAPackage(file: "p", reason: "it is not a ZIP archive")),
      (
        .unsupported(file: "f", entry: "e", feature: "x"),
        .unsupported(file: "p", place: "e", feature: "x")
      ),
      (
        .unsupported(file: "f", entry: "", feature: "x"),
        .unsupported(file: "p", place: "the archive", feature: "x")
      ),
      (
        .truncated(file: "f", offset: 7),
        .damaged(file: "p", place: "byte 7", reason: "the file ends too early")
      ),
      (
        .damaged(file: "f", entry: "e", reason: "r"),
        .damaged(file: "p", place: "e", reason: "r")
      ),
      (
        .damaged(file: "f", entry: nil, reason: "r"),
        .damaged(file: "p", place: "its directory", reason: "r")
      ),
      (
        .noSuchEntry(file: "f", entry: "e"),
        .damaged(file: "p", place: "e", reason: "the file is missing")
      ),
    ] as [(ArchiveError, PackageError)])
  func `A fault of an archive is reported for the package, with its place`(
    _ error: ArchiveError, _ told: PackageError
  ) {
    #expect(PackageError(error, file: "p") == told)
  }

  @Test func `A known place is reported instead of the place in the archive`() {
    let errors: [(ArchiveError, String)] = [
      (.truncated(file: "f", offset: 7), "the file ends too early"),
      (.damaged(file: "f", entry: "e", reason: "r"), "r"),
    ]
    for (error, reason) in errors {
      #expect(
        PackageError(error, file: "p", place: "x")
          == .damaged(file: "p", place: "x", reason: reason))
    }
  }

  @Test(
    arguments: [
      (
        .damaged(file: "f", place: "x", reason: "r"), .damaged(file: "p", place: "x", reason: "r")
      ),
      (.unsupported(file: "f", feature: "x"), .notAPackage(file: "p", reason: "it is x")),
      (.unreadable(file: "f", reason: "r"), .unreadable(file: "p", reason: "r")),
      (.busy(file: "f", holder: "h"), .busy(file: "p", holder: "h")),
    ] as [(FeatureStoreError, PackageError)])
  func `A fault of a geodatabase is reported for the package`(
    _ error: FeatureStoreError, _ told: PackageError
  ) {
    #expect(PackageError(error, file: "p") == told)
  }

  @Test(
    arguments: [
      (.cancelled, .cancelled),
      (.unreadable(file: "f", reason: "r"), .unreadable(file: "f", reason: "r")),
      (
        .truncated(file: "f", offset: 7),
        .unreadable(file: "f", reason: "it became shorter meanwhile")
      ),
      (.unwritable(file: "f", reason: "r"), .notWritable(file: "f", reason: "r")),
      (.alreadyExists(file: "f"), .alreadyExists(file: "f")),
      (
        .unsafeName(file: "f", entry: "e"),
        .notWritable(
          file: "The package",
          reason: "f holds an entry \"e\" whose name leads out of the archive")
      ),
    ] as [(ArchiveError, PackageWriterError)])
  func `What prevents writing a package is reported with the file concerned`(
    _ error: ArchiveError, _ told: PackageWriterError
  ) {
    #expect(PackageWriterError(error) == told)
  }
}
