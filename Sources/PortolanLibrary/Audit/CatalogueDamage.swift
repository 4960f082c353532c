public import Foundation

/// A catalogue that cannot be used as it is.
public struct CatalogueDamage: Hashable, Sendable {
  /// The file.
  public let file: URL
  /// What is wrong with it.
  public let reason: String

  /// What is wrong with one that was being replaced when the process died.
  static let interruptedRepair = "a repair of it was interrupted"

  /// The damage, a sentence for people.
  public var sentence: String {
    "The catalogue \(file.lastPathComponent) is damaged: \(reason)."
  }

  /// What repairing does about it, a sentence for people.
  public var repair: String {
    "Put it aside, and make a new one from what it still says and from the maps on the disk."
  }
}
