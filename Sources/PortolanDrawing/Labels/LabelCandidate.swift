package import PortolanGeometry

/// A label to be drawn, with its possible places, the best first.
package struct LabelCandidate: Sendable {
  /// The places, each with the same text; none for an icon alone.
  package var places: [LabelPlace]
  /// The position of the labelled thing; it determines the cell of the label.
  package var anchor: Coordinate
  /// Lower goes first.
  package var rank: LabelRank
  /// The layering, which decides which of two that cover each other is above.
  package var layering = LabelLayering()
  /// The overlap of the text with others.
  package var textOverlap = Overlap()
  /// Whether the text may cover markers, as one in the middle of its own does.
  package var coversMarkers = false
  /// The overlap of the icon with others.
  package var iconOverlap = Overlap()
  /// The key of labels with the same text for parts of one thing; such are kept apart.
  package var repeatKey: String?
  /// The distance by which they are kept apart, in pixels.
  package var repeatDistance = 0.0
  /// A marker that belongs to the label, where the places have none of their own.
  package var icon: LabelIcon?
  /// Whether the marker is drawn without the text if that finds no place.
  package var textIsOptional = false
  /// Whether the text is drawn without the marker if that finds no place.
  package var iconIsOptional = false
  /// Whether a part of the text may lie outside of the picture.
  package var mayBeCut = false

  package init(
    places: [LabelPlace], anchor: Coordinate, rank: LabelRank,
    layering: LabelLayering = LabelLayering(), textOverlap: Overlap = Overlap(),
    coversMarkers: Bool = false, iconOverlap: Overlap = Overlap(), repeatKey: String? = nil,
    repeatDistance: Double = 0, icon: LabelIcon? = nil, textIsOptional: Bool = false,
    iconIsOptional: Bool = false
  ) {
    self.places = places
    self.anchor = anchor
    self.rank = rank
    self.layering = layering
    self.textOverlap = textOverlap
    self.coversMarkers = coversMarkers
    self.iconOverlap = iconOverlap
    self.repeatKey = repeatKey
    self.repeatDistance = repeatDistance
    self.icon = icon
    self.textIsOptional = textIsOptional
    self.iconIsOptional = iconIsOptional
  }

  /// Whether it is drawn at its first place in any case.
  var isUnconditional: Bool {
    (places.isEmpty || textOverlap.isUnconditional)
      && (anyIcon == nil || iconOverlap.isUnconditional)
  }

  /// The marker that is drawn with the first place.
  var anyIcon: LabelIcon? { places.first?.icon ?? icon }

  /// The treatment of overlaps between a part of a label and others.
  package struct Overlap: Hashable, Sendable {
    /// Whether it is drawn even where it covers others.
    package var isAllowed = false
    /// Whether it is so only above others that may cover others too.
    package var isCooperative = false
    /// Whether others may cover it.
    package var isIgnored = false
    /// The space kept free around it, in pixels.
    package var padding = 0.0

    /// Whether it is drawn whatever it covers.
    var isUnconditional: Bool { isAllowed && !isCooperative }

    package init(
      isAllowed: Bool = false, isCooperative: Bool = false, isIgnored: Bool = false,
      padding: Double = 0
    ) {
      self.isAllowed = isAllowed
      self.isCooperative = isCooperative
      self.isIgnored = isIgnored
      self.padding = padding
    }
  }
}

/// The priority of a label.
package struct LabelRank: Hashable, Sendable, Comparable {
  /// Layers count from the top.
  package var layer: Int
  package var definition: Int
  /// The sort key of a style or a class of labels; lower goes first.
  package var sortKey = 0.0
  /// Features count in the order in which they are read.
  package var feature: Int

  package init(layer: Int, definition: Int, sortKey: Double = 0, feature: Int) {
    self.layer = layer
    self.definition = definition
    self.sortKey = sortKey
    self.feature = feature
  }

  package static func < (left: LabelRank, right: LabelRank) -> Bool {
    (left.layer, left.definition, left.sortKey, left.feature)
      < (right.layer, right.definition, right.sortKey, right.feature)
  }
}
