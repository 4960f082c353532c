import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// The messages about errors that Foundation describes by a number.
@Suite(.temporaryDirectory) struct PlainReasonTests {
  /// The reason why the work fails.
  private func reason(_ work: () throws -> Void) -> String {
    do {
      try work()
      return "nothing failed"
    } catch {
      return error.plainReason
    }
  }

  @Test func `A system error is described in words, without a number or a full stop`() throws {
    let absent = temporaryDirectory.appending(path: "absent")
    let text = temporaryDirectory.appending(path: "text")
    try Data([0xFF, 0xFE, 0xFD, 0x80]).write(to: text)
    let reasons = [
      reason { _ = try Data(contentsOf: absent) },
      reason { _ = try FileHandle(forReadingFrom: absent) },
      reason { _ = try FileManager.default.contentsOfDirectory(atPath: absent.path) },
      reason { _ = try Data(contentsOf: temporaryDirectory) },
      reason { try Data().write(to: absent.appending(path: "below")) },
      reason { _ = try String(contentsOf: text, encoding: .utf8) },
      reason {
        try FileManager.default.createDirectory(
          at: text.appending(path: "folder"), withIntermediateDirectories: true)
      },
    ]
    for reason in reasons {
      #expect(!reason.contains("Domain") && !reason.contains("error ") && !reason.contains("256"))
      #expect(!reason.contains("could not be completed") && !reason.hasSuffix("."))
    }
    #expect(reasons[0] == "No such file or directory" || reasons[0] == "it is not there")
  }

  @Test(
    arguments: [
      (.fileNoSuchFile, "it is not there"), (.fileReadNoSuchFile, "it is not there"),
      (.fileReadNoPermission, "Permission denied"), (.fileWriteNoPermission, "Permission denied"),
      (.fileWriteOutOfSpace, "the disk is full"),
      (.fileWriteVolumeReadOnly, "the medium can only be read"),
      (.fileWriteFileExists, "something is there already"),
      (.fileReadCorruptFile, "it is damaged"),
      (.fileReadInapplicableStringEncoding, "it is not UTF-8"),
      (.fileReadUnknownStringEncoding, "it is not UTF-8"),
      (.fileReadUnknown, "it cannot be read"), (.fileWriteUnknown, "it cannot be written"),
    ] as [(CocoaError.Code, String)])
  func `An error that is only a code is described in words`(
    _ code: CocoaError.Code, _ reason: String
  ) {
    #expect(CocoaError(code).plainReason == reason)
  }

  @Test func `An error with words of its own keeps them`() {
    #expect(FileError.diskFull(file: "f").plainReason == "the disk is full")
    struct Refusal: LocalizedError { var errorDescription: String? { "It is Sunday." } }
    #expect(Refusal().plainReason == "It is Sunday")
  }
}
