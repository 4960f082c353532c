import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Homes on storage that knows no locks, where everybody would get every one.
@Suite(.temporaryDirectory) struct HomeWithoutLocksTests {
  private static func withoutLocks(_ code: Int32) -> FileSystem {
    FileSystem { call in if case .lock = call { code } else { nil } }
  }

  @Test(arguments: [ENOLCK, ENOTSUP, ENOSYS])
  func `Maps can be opened there, and nothing is changed`(_ code: Int32) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let library = bed.library(files: Self.withoutLocks(code))
    try await library.recoverUnlessBusy()
    let lease = try await library.open(map.id)
    #expect(try bed.info(of: lease.map) == "one")
    let refusal = LibraryError.homeWithoutLocks(bed.layout.home.path(percentEncoded: false))
    await #expect(throws: refusal) { try await library.beginEditing(lease) }
    #expect(!lease.isEditing)
    await #expect(throws: refusal) { try await library.delete(map.id) }
    await #expect(throws: refusal) { try await bed.install(info: "two", in: library) }
    #expect(try await bed.library().maps() == [map])
    #expect(try bed.info(of: map) == "one")
  }
}
