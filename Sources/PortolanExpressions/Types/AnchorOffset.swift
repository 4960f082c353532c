/// A place of a text beside its point, and its distance from there.
package struct AnchorOffset: Hashable, Sendable {
  /// The part of the text that is at the point.
  package var anchor: String
  /// To the right, in ems.
  package var x: Double
  /// Down, in ems.
  package var y: Double
}
