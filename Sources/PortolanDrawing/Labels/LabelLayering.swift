internal import PortolanGeometry

/// The stacking order of labels; higher ones cover lower ones.
///
/// Labels of one layer of a style go by what it sorts them by; without that, all icons of the layer
/// lie below all its texts, and the halos of texts that may lie over each other below their letters.
/// Others are drawn as they are placed.
package struct LabelLayering: Hashable, Sendable, Comparable {
  /// Layers count from below.
  package var layer = 0
  /// Layers of a style count from below.
  package var definition = 0
  /// The sort key of a style.
  package var sortKey = 0.0
  /// Icons are below texts.
  var isText = false
  /// Halos are below letters, where they are drawn apart.
  var isAboveHalos = false
  /// The position of the label down the picture, where that determines the order.
  package var height = 0.0
  /// Of two at the same height, the one that came first is above.
  package var feature = 0

  package init(
    layer: Int = 0, definition: Int = 0, sortKey: Double = 0, isText: Bool = false,
    height: Double = 0, feature: Int = 0
  ) {
    self.layer = layer
    self.definition = definition
    self.sortKey = sortKey
    self.isText = isText
    self.height = height
    self.feature = feature
  }

  package static func < (left: LabelLayering, right: LabelLayering) -> Bool {
    let first = (left.layer, left.definition, left.sortKey, left.part, left.height)
    let second = (right.layer, right.definition, right.sortKey, right.part, right.height)
    return first == second ? left.feature < right.feature : first < second
  }

  /// The part of labels, from below.
  private var part: Int { (isText ? 1 : 0) + (isAboveHalos ? 1 : 0) }

  /// The layering of the halos of the text of a label whose icon has this one.
  var ofHalos: LabelLayering {
    var layering = self
    layering.isText = true
    return layering
  }

  /// The layering of the text of a label whose icon has this one.
  var ofText: LabelLayering {
    var layering = ofHalos
    layering.isAboveHalos = true
    return layering
  }
}

/// The steps that draw the parts of a label that found a place.
struct PlacedLabel {
  var icon: [DrawCommand] = []
  /// The halos of the text, where they are drawn below all letters.
  var halos: [DrawCommand] = []
  var text: [DrawCommand] = []
  var layering = LabelLayering()
  /// The boxes around what it covers.
  var covered: [Envelope] = []

  var isEmpty: Bool { icon.isEmpty && text.isEmpty }

  /// The steps that draw labels, given in the order in which they were placed: lower ones first.
  static func commands(_ labels: [PlacedLabel]) -> [DrawCommand] {
    let parts = labels.flatMap { label in
      [
        (label.layering, label.icon), (label.layering.ofHalos, label.halos),
        (label.layering.ofText, label.text),
      ]
    }
    return parts.enumerated()
      .filter { !$0.element.1.isEmpty }
      .sorted { left, right in
        left.element.0 == right.element.0
          ? left.offset < right.offset : left.element.0 < right.element.0
      }
      .flatMap(\.element.1)
  }
}
