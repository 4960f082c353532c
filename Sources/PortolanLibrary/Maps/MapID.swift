public import Foundation
public import PortolanJobs

/// Names a map that is stored on this device, and its folder; that of a portal item will do.
public struct MapID: FolderName {
  public let text: String

  public init?(_ text: String) {
    guard Self.allows(text) else { return nil }
    self.text = text
  }

  /// An id made of a new UUID, in lower case.
  public init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }
}
