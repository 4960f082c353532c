/// A definition of a spatial reference that is not understood, and so counts as missing.
public struct UnknownReference: Hashable, Sendable {
  /// That it is not understood, as the beginning of a sentence.
  public let fact: String
  /// What can be done about it, a sentence.
  let remedy: String

  /// What people should know of it, where nothing else says what coordinates mean.
  package var note: String { "\(fact), and counts as missing. \(remedy)" }
}
