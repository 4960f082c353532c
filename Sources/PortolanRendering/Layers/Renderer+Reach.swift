internal import PortolanJSON
internal import PortolanMap

extension Renderer {
  /// The maximum distance of its symbols from their shapes, in points, by its document.
  ///
  /// The largest length that any of its symbols names, with offsets: too much does no harm but to
  /// read features that are not seen. Documents are looked at up to a size.
  var symbolReach: Double {
    var search = LengthSearch()
    search.visit(.object(json), depth: 0)
    return search.size + search.offset
  }
}

/// Looks for the largest lengths in a document.
private struct LengthSearch {
  private static let sizes: Set<String> = [
    "size", "width", "height", "outlineWidth", "haloSize", "minSize", "maxSize", "radius",
  ]
  private static let offsets: Set<String> = ["xoffset", "yoffset", "offset", "offsetX", "offsetY"]
  private static let maximumDepth = 40

  private(set) var size = 0.0
  private(set) var offset = 0.0
  private var rest = 200_000

  mutating func visit(_ value: JSONValue, depth: Int) {
    guard depth < Self.maximumDepth, rest > 0 else { return }
    rest -= 1
    if let object = value.object {
      for member in object.members {
        if let number = member.value.lenientNumber, number.isFinite {
          if Self.sizes.contains(member.name) { size = max(size, abs(number)) }
          if Self.offsets.contains(member.name) { offset = max(offset, abs(number)) }
        } else {
          visit(member.value, depth: depth + 1)
        }
      }
    } else {
      for member in value.array ?? [] { visit(member, depth: depth + 1) }
    }
  }
}
