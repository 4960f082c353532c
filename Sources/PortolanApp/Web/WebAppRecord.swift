/// The port of the web app that ran last and the browsers that it had let in, so that open pages
/// find the next one.
public struct WebAppRecord: Hashable, Sendable, Codable {
  /// The port.
  public var port: UInt16
  /// The secrets of the browsers, the latest last; only the owner may read them.
  public var browsers: [String]

  /// Creates a record.
  public init(port: UInt16, browsers: [String] = []) {
    self.port = port
    self.browsers = browsers
  }
}

/// Keeps the record of the web app.
public protocol WebAppRecordKeeping: Sendable {
  /// The record; `nil` without one that can be read.
  func read() -> WebAppRecord?

  /// Keeps a record, where only its owner can read it.
  func write(_ record: WebAppRecord) throws
}
