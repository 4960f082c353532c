import Foundation
import PortolanLibrary
import PortolanPackages
import PortolanTransport
import Testing

@testable import PortolanApp

/// The names by which people refer to listed web maps.
@Suite struct KnownWebMapTests {
  private static let maps = [
    ("41281c51f9de45edaf1c8ed44bb10e30", "Explore Maine"),
    ("5b3a0000000000000000000000000001", "Côte d'Azur"),
    ("5b3a0000000000000000000000000002", "Trails"),
    ("6c4b0000000000000000000000000003", "Trails"),
    ("7d5c0000000000000000000000000004", "Maine Trails, 2026"),
  ].map { KnownWebMap(id: $0.0, title: $0.1, portal: nil) }

  @Test(arguments: [
    ("41281c51f9de45edaf1c8ed44bb10e30", 0), ("41281c51", 0), ("Explore Maine", 0),
    ("explore MAINE", 0), ("cote d'azur", 1), ("CÔTE D'AZUR", 1), ("azur", 1), ("explore", 0),
    ("2026", 4), ("6c4b00", 3),
  ])
  func `A web map is named by its id, by its title or by words of it`(
    _ name: String, _ index: Int
  ) throws {
    #expect(try Self.maps.named(name) == Self.maps[index])
  }

  @Test(arguments: ["Exlpore Maine", "", "zzz", "xplore", "412"])
  func `Another name means no web map`(_ name: String) throws {
    #expect(try Self.maps.named(name) == nil)
  }

  @Test(arguments: [("Trails", [2, 3]), ("TRAILS", [2, 3]), ("maine", [0, 4])])
  func `A name that can mean several web maps is refused with their ids`(
    _ name: String, _ indexes: [Int]
  ) {
    let problem = #expect(throws: Problem.self) { try Self.maps.named(name) }
    #expect(problem?.code == .ambiguous)
    for index in indexes {
      #expect(problem?.suggestion?.contains(Self.maps[index].id) == true, "\(index)")
    }
  }

  @MainActor @Test func `A whole id needs no list, which may be one that cannot be read`()
    async throws
  {
    let app = AppModel(
      opener: NoMaps(),
      library: LibraryScreens(
        opener: FullDisk(), portals: NoPortal(), monitor: SwitchableNetworkMonitor()))
    #expect(try await app.knownWebMap(named: Self.maps[0].id) == nil)
    await #expect(throws: Problem.self) { try await app.knownWebMap(named: Self.maps[0].title) }
  }
}

/// Opens no package.
private struct NoMaps: PackageOpening {
  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    throw .noSuchFile(url.lastPathComponent)
  }
}

/// A library that is there and cannot be opened.
private struct FullDisk: LibraryOpening {
  let exists = true

  func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary {
    throw .diskFull(file: "library.sqlite")
  }

  func damage() async -> CatalogueDamage? { nil }

  func rebuild() async throws(LibraryError) {}
}
