import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// A reader of the recorded bodies of a kind, through the client that applications use.
struct RecordedBodyReader: Sendable {
  /// The end of the path below `fixtures`, or all of it; `*` stands for any text.
  let pattern: String
  let read: @Sendable (Portal, URL) async throws -> Void

  init(_ pattern: String, _ read: @escaping @Sendable (Portal, URL) async throws -> Void) {
    self.pattern = pattern
    self.read = read
  }

  func reads(_ path: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, path.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return path == pattern }
    var rest = path.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

/// The recorded bodies beside the project.
enum RecordedBody {
  static let service = URL(string: "https://gis.example.org/arcgis/rest/services/A/Server")!

  /// The paths of all bodies in a folder of `fixtures`.
  static func paths(in folder: String) -> [String] {
    // Without the folder there is nothing to read, and the tests say so.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: SharedFiles.url("fixtures/\(folder)").path(percentEncoded: false))
    return (names ?? []).sorted().map { "\(folder)/\($0)" }
  }

  static func data(_ path: String) throws -> Data { try SharedFiles.data("fixtures/\(path)") }

  /// A portal that answers every request with the body at `path`.
  static func portal(answering path: String) throws -> Portal {
    let body = try data(path)
    return portal(answering: body)
  }

  static func portal(answering body: Data) -> Portal {
    portal(StubTransport { .data(body, headers: ["Content-Type": "text/plain"], to: $0) })
  }

  static func portal(_ transport: any HTTPTransport) -> Portal {
    Portal(
      url: URL(string: "https://www.example.com")!,
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }
}
