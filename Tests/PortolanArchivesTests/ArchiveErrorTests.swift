import PortolanArchives
import PortolanFiles
import Testing

/// The errors of archives that follow from faults of their files.
@Suite struct ArchiveErrorTests {
  @Test(
    arguments: [
      (.absent(file: "f"), .unreadable(file: "f", reason: "it is not there")),
      (.unreadable(file: "f", reason: "r"), .unreadable(file: "f", reason: "r")),
      (
        .notAFile(file: "f", kind: .pipe),
        .unreadable(file: "f", reason: "it is a named pipe, not a file")
      ),
      (.unwritable(file: "f", reason: "r"), .unwritable(file: "f", reason: "r")),
      (.readOnly(file: "f"), .unwritable(file: "f", reason: "the medium can only be read")),
      (.diskFull(file: "f"), .unwritable(file: "f", reason: "the disk is full")),
      (.alreadyExists(file: "f"), .alreadyExists(file: "f")),
      (
        .inUse(file: "f", holder: nil),
        .unwritable(file: "f", reason: "it is being written already")
      ),
      (
        .durabilityUnknown(file: "f", reason: "r"),
        .unwritable(file: "f", reason: "it is in place, but the disk did not confirm it: r")
      ),
      (.truncated(file: "f", offset: 7), .truncated(file: "f", offset: 7)),
      (.unsafePath(folder: "f", path: "../p"), .unsafeName(file: "f", entry: "../p")),
      (.cancelled, .cancelled),
    ] as [(FileError, ArchiveError)])
  func `A fault of a file is reported as one of the archive, with its nature`(
    _ error: FileError, _ told: ArchiveError
  ) {
    #expect(ArchiveError(error) == told)
  }

  @Test(
    arguments: [
      (.damaged(file: "f", entry: "e", reason: "r"), "r", "e"),
      (.damaged(file: "f", entry: nil, reason: "r"), "r", nil),
      (
        .ambiguous(file: "f", entry: "e", reason: "two sizes"),
        "it has two sizes, depending on who reads it", "e"
      ),
      (.unsafeName(file: "f", entry: "e"), "its name leads out of the archive", "e"),
      (.tooLarge(file: "f", entry: "e", limit: 7), "it unpacks to more than 7 bytes", "e"),
      (
        .noSpace(file: "f", entry: "e", needed: 7, available: 5),
        "decompressing it takes 7 bytes; 5 are free", "e"
      ),
      (
        .unsupported(file: "f", entry: "", feature: "several volumes"),
        "it uses several volumes, which is not supported", nil
      ),
      (.noSuchEntry(file: "f", entry: "e"), "the file is missing", "e"),
      (.truncated(file: "f", offset: 7), "it ends too early, before byte 7", nil),
      (.alreadyExists(file: "f"), "something is there already", nil),
      (.unwritable(file: "f", reason: "r"), "r", nil), (.cancelled, "the work was cancelled", nil),
    ] as [(ArchiveError, String, String?)])
  func `A fault's reason does not repeat the file and the entry named before it`(
    _ error: ArchiveError, _ fault: String, _ entry: String?
  ) {
    #expect(error.fault == fault && error.entry == entry)
  }
}
