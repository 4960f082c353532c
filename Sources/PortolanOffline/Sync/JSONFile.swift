internal import Foundation
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

/// A file that a service has sent, which may be JSON.
enum JSONFile {
  /// The most bytes of a document that is read at once, as of an answer; its values take several times as
  /// much memory.
  static let limit = 256 << 20

  /// Whether a file is a document that is larger than may be read.
  static func isTooLarge(_ file: URL, limit: Int) -> Bool {
    // A file that cannot be examined is reported by its reader.
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return false }
    return data.count > limit && isJSON(data)
  }

  /// The document in a file; `nil` if that is another kind of file.
  ///
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` for JSON that is none.
  static func read(_ file: URL) throws(OfflineMapError) -> JSONValue? {
    do {
      let data = try Data(contentsOf: file, options: .mappedIfSafe)
      guard isJSON(data) else { return Optional.none }
      return try JSONValue(parsing: data)
    } catch {
      throw .damaged(
        file: file.lastPathComponent, reason: "it is cut, or no JSON: \(error).")
    }
  }

  /// Whether it begins as JSON.
  static func isJSON(_ data: Data) -> Bool {
    data.first { !UInt8.blanks.contains($0) } == UInt8(ascii: "{")
  }
}

extension RESTClient {
  /// Fetches a replica, or changes, be it a geodatabase or JSON.
  ///
  /// - Throws: Also `TransportError.tooLarge(_:limit:)` for JSON that would fill the memory, before it is
  ///   parsed; then no file is there.
  func download(
    _ url: URL, to file: URL, _ surroundings: OfflineSurroundings,
    limit: Int = JSONFile.limit
  ) async throws {
    do throws(PortalError) {
      _ = try await download(
        url, to: file, options: FileDownload.Options(), clock: surroundings.clock,
        chance: surroundings.chance)
    } catch {
      // Other texts, such as pages for people, are nothing that is wanted.
      guard case .notJSON(_, .damaged) = error else { throw error }
      let body = try await data(url, limit: limit).body
      guard JSONFile.isJSON(body) else { throw error }
      try body.write(to: file)
    }
    guard JSONFile.isTooLarge(file, limit: limit) else { return }
    try FileManager.default.removeItem(at: file)
    throw PortalError.transport(.tooLarge(url.withoutSecrets, limit: limit))
  }
}

extension UInt8 {
  /// What may precede JSON.
  fileprivate static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}
