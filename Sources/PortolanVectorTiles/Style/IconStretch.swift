internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The parts of an icon that stretch around a text, and the place of the text in it.
///
/// - SeeAlso: [Sprites](https://maplibre.org/maplibre-style-spec/sprite/)
struct IconStretch: Sendable {
  /// The way in which a side of the box around a text follows the other one.
  enum Fit: String, Sendable {
    case stretchOrShrink, stretchOnly, proportional
  }

  var columns: IconAxis
  var rows: IconAxis
  private var widthFit: Fit?
  private var heightFit: Fit?

  /// Reads the stretching of an icon from its index; `nil` if all of the icon is stretched alike.
  init?(_ entry: JSONObject, width: Int, height: Int) {
    guard entry["stretchX"] != nil || entry["stretchY"] != nil || entry["content"] != nil else {
      return nil
    }
    let content = entry["content"]?.array?.compactMap(\.double) ?? []
    let box = content.count == 4 ? content : nil
    columns = IconAxis(
      entry["stretchX"], size: Double(width), content: box.map { ($0[0], $0[2]) })
    rows = IconAxis(
      entry["stretchY"], size: Double(height), content: box.map { ($0[1], $0[3]) })
    widthFit = entry.text("textFitWidth").flatMap(Fit.init)
    heightFit = entry.text("textFitHeight").flatMap(Fit.init)
  }

  /// The sides of an icon around a text, one of them made longer where the icon wants its content to
  /// keep its proportions.
  func fitted(_ sides: Envelope) -> Envelope {
    guard widthFit != nil || heightFit != nil, let across = columns.content,
      let down = rows.content, sides.width > 0, sides.height > 0
    else { return sides }
    let wanted =
      (across.upperBound - across.lowerBound) / (down.upperBound - down.lowerBound)
    let share = sides.width / sides.height
    var fitted = sides
    if heightFit == .proportional {
      if widthFit == .proportional || (widthFit == .stretchOnly && share < wanted) {
        let width = (sides.height * wanted).rounded(.up)
        fitted.xMin *= width / sides.width
        fitted.xMax = fitted.xMin + width
      }
    } else if widthFit == .proportional, heightFit == .stretchOnly, share > wanted {
      let height = (sides.width / wanted).rounded(.up)
      fitted.yMin *= height / sides.height
      fitted.yMax = fitted.yMin + height
    }
    return fitted
  }
}
