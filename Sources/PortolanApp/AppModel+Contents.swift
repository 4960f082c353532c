internal import Foundation

extension AppModel {
  /// What a stored map holds: its maps, and what people should know of it.
  ///
  /// The map that is open stays open.
  ///
  /// - Throws: A problem if it is not stored, has expired, or cannot be read.
  public func contents(ofStored id: String) async throws(Problem) -> PackageModel.Contents {
    guard let library else {
      throw Problem(message: "This app keeps no maps.", kind: .absence)
    }
    let maps = try await library.maps()
    // It cannot be deleted while it is read.
    let opened = try await maps.beginUse(of: id)
    defer { withExtendedLifetime(opened) {} }
    let package = PackageModel(opener: opener)
    let loaded = try await package.load(opened.url)
    package.accept(loaded)
    await package.close()
    return loaded.contents
  }
}
