internal import PortolanGeometry

/// A label that wants to be drawn, with the places where it could stand, the best first.
struct LabelCandidate: Sendable {
  /// The places, each with the same text; none for an icon alone.
  var places: [LabelPlace]
  /// Where the thing is that is labelled; it tells the cell of the label.
  var anchor: Coordinate
  /// Lower goes first.
  var rank: LabelRank
  /// What tells which of two that cover each other is above.
  var layering = LabelLayering()
  /// What keeps the text from standing on others.
  var textOverlap = Overlap()
  /// Whether the text may cover markers, as one in the middle of its own does.
  var coversMarkers = false
  /// What keeps the icon from standing on others.
  var iconOverlap = Overlap()
  /// What tells labels apart that say the same of parts of one thing; such are kept apart.
  var repeatKey: String?
  /// How far apart they are kept, in pixels.
  var repeatDistance = 0.0
  /// A marker that belongs to the label, where the places bring none of their own.
  var icon: LabelIcon?
  /// Whether the marker is drawn without the text if that finds no place.
  var textIsOptional = false
  /// Whether the text is drawn without the marker if that finds no place.
  var iconIsOptional = false

  /// Whether it is drawn at its first place whatever stands there.
  var isUnconditional: Bool {
    (places.isEmpty || textOverlap.isAllowed) && (anyIcon == nil || iconOverlap.isAllowed)
  }

  /// The marker that is drawn with the first place.
  var anyIcon: LabelIcon? { places.first?.icon ?? icon }

  /// What a part of a label has to do with others.
  struct Overlap: Hashable, Sendable {
    /// Whether it is drawn even where it covers others.
    var isAllowed = false
    /// Whether others may cover it.
    var isIgnored = false
    /// What is kept free around it, in pixels.
    var padding = 0.0
  }
}

/// Which of two labels goes first.
struct LabelRank: Hashable, Sendable, Comparable {
  /// Layers count from the top.
  var layer: Int
  var definition: Int
  /// What a style or a class of labels says of the order; lower goes first.
  var sortKey = 0.0
  /// Features count in the order in which they are read.
  var feature: Int

  static func < (left: LabelRank, right: LabelRank) -> Bool {
    (left.layer, left.definition, left.sortKey, left.feature)
      < (right.layer, right.definition, right.sortKey, right.feature)
  }
}
