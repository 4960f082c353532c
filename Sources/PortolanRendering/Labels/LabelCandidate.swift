internal import PortolanGeometry

/// A label that wants to be drawn, with the places where it could stand, the best first.
struct LabelCandidate: Sendable {
  /// The places; each has the same text.
  var places: [TextRun]
  /// Lower goes first: the place of the layer from the top, then that of the class.
  var rank: LabelRank
  /// Whether the label is drawn even where it covers others.
  var mayOverlap: Bool
  /// What tells labels apart that say the same of parts of one thing; such are kept apart.
  var repeatKey: String?
  /// A marker that belongs to the label, and the box that it takes.
  var icon: DrawCommand?
  var iconBox: Envelope?
  /// Whether the marker is drawn even where it covers others.
  var iconMayOverlap = false
  /// Whether the marker is drawn without the text if that finds no place.
  var textIsOptional = false
}

/// Which of two labels goes first.
struct LabelRank: Hashable, Sendable, Comparable {
  /// Layers count from the top.
  var layer: Int
  var definition: Int
  /// Features count in the order in which they are read.
  var feature: Int

  static func < (left: LabelRank, right: LabelRank) -> Bool {
    (left.layer, left.definition, left.feature) < (right.layer, right.definition, right.feature)
  }
}
