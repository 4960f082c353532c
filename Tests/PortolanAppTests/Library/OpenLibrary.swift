import PortolanLibrary

@testable import PortolanApp

/// A library that is open.
struct OpenLibrary: LibraryOpening {
  let library: HomeLibrary
  let exists = true

  func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary { library }

  func damage() async -> CatalogueDamage? { nil }

  func rebuild() async throws(LibraryError) {}
}
