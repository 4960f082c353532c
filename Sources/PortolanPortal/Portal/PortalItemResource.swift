public import Foundation
internal import PortolanJSON

/// A resource file of an item.
public struct PortalItemResource: Hashable, Sendable {
  /// The path below the item's `resources`, for example `area/geometry-1.json`.
  public var path: String
  /// The size in bytes, if the portal says so.
  public var size: Int64?
  /// The date of addition.
  public var created: Date?

  /// Names a file of an item.
  public init(path: String, size: Int64? = nil, created: Date? = nil) {
    self.path = path
    self.size = size
    self.created = created
  }
}

extension PortalItemResource {
  /// The most bytes that a file can have, a petabyte, so that sums of them cannot overflow.
  private static let mostBytes: Int64 = 1 << 50

  init?(json: JSONValue) {
    guard let json = json.object, let path = json.filledText("resource") else { return nil }
    self.path = path
    size = json.number("size").flatMap { Int64(exactly: $0) }
      .flatMap { (0...Self.mostBytes).contains($0) ? $0 : nil }
    created = json.date("created")
  }
}
