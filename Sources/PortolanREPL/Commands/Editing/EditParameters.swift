internal import Foundation
internal import PortolanApp
internal import PortolanGeometry

/// The parameters that the editing commands have in common.
enum EditParameters {
  static let objectID = Parameter.argument(
    "ID", "The object id of a feature, as \"identify\", \"popup\" and \"features\" show it.")
  static let attachment = Parameter.argument("ATTACHMENT", "The id of an attachment.")
  static let values = Parameter.argument(
    "FIELD=VALUE", "A field by name or label, and its new value; nothing after = removes it.",
    count: .any)
  static let vertex = Parameter.option(
    "at", "X,Y[,Z]", "A position; several make a line or the outline of an area.", count: .any)
  static let coordinates = Parameter.option(
    "crs", "native|4326",
    "The spatial reference of the positions: the layer's own, or degrees unless given.",
    completion: .choice(["native", "4326"]))
  static let shape = Parameter.option(
    "shape", "FILE",
    "A file with the shape, as GeoJSON or Esri JSON, in place of positions; - is standard input.",
    completion: .file)
  static let template = Parameter.option(
    "template", "NAME", "The template whose values a new feature starts with.")
  static let contentType = Parameter.option(
    "type", "TYPE", "The media type, such as image/jpeg; by the file's name unless given.")

  /// The values in their order.
  static func assignments(
    _ arguments: Arguments
  ) throws(UsageError) -> [(field: String, text: String)] {
    var assignments: [(field: String, text: String)] = []
    for word in try arguments.values(of: values, as: .text) {
      guard let sign = word.firstIndex(of: "="), sign != word.startIndex else {
        throw UsageError(
          "\"\(word)\" is not a field and a value.",
          suggestion: "Write FIELD=VALUE, such as NAME=Echo.")
      }
      let field = String(word[..<sign])
      guard !assignments.contains(where: { $0.field.lowercased() == field.lowercased() }) else {
        throw UsageError(
          "\"\(field)\" is given two values.", suggestion: "Give each field one value.")
      }
      assignments.append((field, String(word[word.index(after: sign)...])))
    }
    return assignments
  }
}

extension ValueFormat<Sketch.Vertex> {
  /// `x,y` or `x,y,z`.
  static let vertex = ValueFormat("two or three numbers, such as -109.9,38.3") { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      Double(part.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
    }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
    return Sketch.Vertex(x: numbers[0], y: numbers[1], z: numbers.count == 3 ? numbers[2] : nil)
  }
}
