import Foundation
import PortolanFiles
import PortolanLibrary
import PortolanPackages
import Testing

@testable import PortolanComposition

/// The reasons that keep a map from being opened now, and are no damage that a repair would act on.
struct PassingFailureTests {
  @Test(arguments: [
    PackageError.noSpace(file: "maine.mmpk", needed: 2, available: 1) as any Error,
    PackageError.unreadable(file: "maine.mmpk", reason: "too many open files"),
    FileError.unreadable(file: "maine.mmpk", reason: "Input/output error"),
    FileError.diskFull(file: "maine.mmpk"),
  ])
  func `A full disk and a file that cannot be read now are no damage`(_ error: any Error) {
    guard case .unreadable(file: "maine.mmpk", _)? = LibraryError(passing: error) else {
      Issue.record("\(error) counts as damage")
      return
    }
  }

  @Test func `A database that another program keeps locked is no damage`() {
    let lock = PackageError.busy(file: "data.gpkg", holder: "process 4711 (python3)")
    #expect(
      LibraryError(passing: lock)
        == .beingWritten(file: "data.gpkg", by: "process 4711 (python3)"))
  }

  @Test func `A damaged package is damaged`() {
    let damage = PackageError.damaged(file: "maine.mmpk", place: "the archive", reason: "it is cut")
    #expect(LibraryError(passing: damage) == nil)
    #expect(
      LibraryError(passing: PackageError.notAPackage(file: "a", reason: "it is a picture")) == nil)
  }
}
