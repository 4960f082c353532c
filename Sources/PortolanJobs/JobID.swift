public import Foundation

/// Names a job, in its journal and at the prompt.
public struct JobID: FolderName, Comparable {
  public let text: String

  public init?(_ text: String) {
    guard Self.allows(text) else { return nil }
    self.text = text
  }

  /// A name made of a new UUID, in lower case.
  public init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }

  public static func < (left: JobID, right: JobID) -> Bool { left.text < right.text }
}
