import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTransport
import Testing

/// Damages geodatabases on their way, as a service does that writes them wrongly.
struct DamagingTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let folder: URL
  private let table: String
  private let statement: String
  private let refusesQueries: Bool

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - inner: What sends the requests.
  ///   - folder: Where files are changed.
  ///   - table: The table without which a file stays as it is.
  ///   - statement: What is done to the others.
  ///   - refusesQueries: Whether the service answers no queries.
  init(
    _ inner: any HTTPTransport, folder: URL, table: String, statement: String,
    refusesQueries: Bool = false
  ) {
    self.inner = inner
    self.folder = folder
    self.table = table
    self.statement = statement
    self.refusesQueries = refusesQueries
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    if refusesQueries, request.url.path().hasSuffix("/query") {
      return try await AnsweringTransport(
        inner: inner, path: "/query",
        answer: Data(#"{"error": {"code": 400, "message": "Unable to perform query."}}"#.utf8)
      ).send(request, into: sink)
    }
    let response = try await inner.send(request)
    var body = response.body
    if body.starts(with: Data("SQLite format 3".utf8)) {
      let file = folder.appending(path: "damaged-\(UUID()).geodatabase")
      do {
        try body.write(to: file)
        let connection = try Connection(at: file, access: .edit)
        let query = try connection.query(
          "SELECT 1 FROM sqlite_schema WHERE name = ?1", .text(table))
        if try query.step() {
          try connection.execute("PRAGMA ignore_check_constraints = ON")
          try connection.execute(statement)
          #expect(connection.changeCount > 0, "Nothing was damaged.")
          body = try Data(contentsOf: file)
        }
      } catch {
        Issue.record("The geodatabase cannot be changed: \(error)")
      }
    }
    var head = response.head
    head.headers["Content-Length"] = "\(body.count)"
    try sink.begin(head)
    try sink.receive(body.bytes)
    return head
  }
}
