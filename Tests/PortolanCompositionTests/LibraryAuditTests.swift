import Foundation
import PortolanApp
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanComposition

/// The findings of the audit of the library in the home folder.
@Suite(.temporaryDirectory) struct LibraryAuditTests {
  private var home: HomeFolder {
    HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
  }

  /// A package that nobody may open any more.
  private func expiredPackage() throws -> URL {
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let description = MobileMapPackageDescription(
      name: "Harbour", title: "Harbour", guid: UUID(), created: date,
      expiration: PackageExpiration(date: date, message: "Bye.", policy: .preventAccess))
    let url = temporaryDirectory.appending(path: "harbour.mmpk")
    let map = NewMobileMap(
      name: "map", title: "Map", id: UUID(), webMap: WebMap(basemap: Basemap(title: "None")))
    try MobileMapPackageWriter(description, maps: [map]).writeArchive(to: url)
    return url
  }

  @Test func `A package that has expired is not damaged, and is no more to be opened`()
    async throws
  {
    let url = try expiredPackage()
    #expect(try await LiveLibrary.audit(in: home)(url) == "Harbour")
    await #expect {
      _ = try await FilePackageOpener(home: home).open(url)
    } throws: { error in
      guard case PackageError.expired = error else { return false }
      return true
    }
  }

  @Test func `A truncated package is damaged, whatever its date`() async throws {
    let url = try expiredPackage()
    let data = try Data(contentsOf: url)
    try data.prefix(data.count / 2).write(to: url)
    await #expect(throws: PackageError.self) { try await LiveLibrary.audit(in: home)(url) }
  }
}
