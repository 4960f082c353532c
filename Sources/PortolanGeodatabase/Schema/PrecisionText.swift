/// Finds the grid of the coordinates in the XML definition of a table, without parsing it.
///
/// The document holds several references; the last is that of the shapes. Only the text from
/// there on is looked at, and what is found must be complete and sensible.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7, "Where the numbers come from"
enum PrecisionText {
  /// The precision in the last `SpatialReference` of a definition, or `nil`.
  static func precision(in definition: String) -> CoordinatePrecision? {
    let bytes = Array(definition.utf8)
    guard let start = bytes[...].lastPosition(of: "<SpatialReference") else { return nil }
    let reference = bytes[start...]
    guard let end = reference.firstPosition(of: "</SpatialReference>") else { return nil }
    return precision(inReference: reference[..<end])
  }

  private static func precision(inReference text: ArraySlice<UInt8>) -> CoordinatePrecision? {
    guard let xOrigin = number("XOrigin", in: text), let yOrigin = number("YOrigin", in: text),
      let xyScale = number("XYScale", in: text)
    else { return nil }
    var precision = CoordinatePrecision(xOrigin: xOrigin, yOrigin: yOrigin, xyScale: xyScale)
    if let origin = number("ZOrigin", in: text), let scale = number("ZScale", in: text) {
      (precision.zOrigin, precision.zScale) = (origin, scale)
    }
    if let origin = number("MOrigin", in: text), let scale = number("MScale", in: text) {
      (precision.mOrigin, precision.mScale) = (origin, scale)
    }
    return precision.isValid ? precision : nil
  }

  private static func number(_ element: StaticString, in text: ArraySlice<UInt8>) -> Double? {
    guard let start = text.firstPosition(of: "<\(element)>") else { return nil }
    let value = text[start...].dropFirst(element.utf8CodeUnitCount + 2).prefix { $0 != 0x3C }
    guard value.count < 64 else { return nil }
    return Double(String(decoding: value, as: UTF8.self))
  }
}

extension ArraySlice<UInt8> {
  fileprivate func firstPosition(of text: String) -> Int? {
    let pattern = Array(text.utf8)
    guard count >= pattern.count, let first = pattern.first else { return nil }
    return indices.dropLast(pattern.count - 1).first { index in
      self[index] == first && self[index..<index + pattern.count].elementsEqual(pattern)
    }
  }

  fileprivate func lastPosition(of text: String) -> Int? {
    let pattern = Array(text.utf8)
    guard count >= pattern.count, let first = pattern.first else { return nil }
    return indices.dropLast(pattern.count - 1).last { index in
      self[index] == first && self[index..<index + pattern.count].elementsEqual(pattern)
    }
  }
}
