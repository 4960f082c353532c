internal import PortolanGeometry
internal import PortolanJSON

/// The rules of a label class: how many labels there are and what they may cover.
///
/// - SeeAlso: [Labelling](https://developers.arcgis.com/web-map-specification/objects/labelingInfo/)
package struct LabelRules {
  /// Of one feature; a picture has no room for more.
  static let maximumLabels = 64
  /// Rows of text are about so wide for each letter, in shares of its size.
  private static let letterWidth = 0.55

  /// Whether labels are drawn where they cover others.
  package let mayOverlap: Bool
  /// The priority of the class; lower goes before higher.
  package let priority: Double
  /// Whether each part of a shape has a label, not only the largest.
  let labelsEveryPart: Bool
  /// Whether labels on lines are turned where they would be upside down.
  let keepsUpright: Bool
  /// Whether labels may be longer than their lines.
  let mayOverrun: Bool
  /// The distance from the symbol to the label, in pixels.
  let offset: Double
  /// Whether rows are aligned as the symbol says.
  let alignsRows: Bool
  /// Whether points that say the same have one label.
  package let removesDuplicates: Bool
  /// The minimum distance of labels with the same text, in pixels.
  package let repeatDistance: Double
  /// The parts of the class that are not followed, in clauses for people.
  package let problems: [String]
  private let interval: Double?
  private let rowLength: Double?
  private let stacks: Bool

  /// Reads the rules of a class of a layer of shapes of that type.
  init(_ json: JSONObject, _ type: GeometryType?, pixelsPerPoint: Double) {
    // Labels that are never removed are drawn where they cover others, if need be.
    mayOverlap =
      ["none", "dynamicNeverRemove"].contains(json.text("deconflictionStrategy") ?? "")
      || json.text("allowOverlapOfLabel") == "allow"
    priority = json.number("priority") ?? 0
    let part = json.text("multiPart")
    labelsEveryPart = part != "labelLargest" && part != "labelPerFeature"
    keepsUpright = json.text("lineOrientation") != "direction"
    mayOverrun = json.flag("allowOverrun") ?? false
    offset = min(max(json.number("offsetDistance") ?? 1.5, 0), 500) * pixelsPerPoint
    alignsRows = json.text("stackAlignment") == "textSymbol"
    let isLine = type == .polyline
    let distance = min(max(json.number("repeatLabelDistance") ?? 216, 20), 10_000)
    interval = json.flag("repeatLabel") ?? isLine ? distance * pixelsPerPoint : nil
    removesDuplicates = ["labelClass", "featureType", "all"]
      .contains(json.text("removeDuplicates") ?? "")
    let apart = min(max(json.number("removeDuplicatesDistance") ?? 0, 0), 10_000)
    // Distances of 0 hold for the whole map.
    repeatDistance = (removesDuplicates ? (apart > 0 ? apart : 10_000) : 150) * pixelsPerPoint
    stacks = json.flag("stackLabel") ?? true
    rowLength = json.number("stackRowLength").flatMap { $0 > 0 ? min($0, 1000) : nil }
    problems = [
      ("labelAngleInfo", "its labels are not turned as \"labelAngleInfo\" asks"),
      ("stackSeparators", "its labels are not broken as \"stackSeparators\" asks"),
    ].compactMap { member, problem in
      let value = json[member]
      return value == nil || value == .null || value == [] ? nil : problem
    }
  }

  /// The width at which rows are broken; `nil` for labels of one row.
  func maximumWidth(_ width: Double, size: Double) -> Double? {
    guard stacks else { return nil }
    return rowLength.map { $0 * size * Self.letterWidth } ?? width
  }

  /// The number of labels on a line.
  func count(along length: Double, width: Double) -> Int {
    guard let interval, length.isFinite else { return 1 }
    return Int(min(max(length / (interval + width), 1), Double(Self.maximumLabels)))
  }
}
