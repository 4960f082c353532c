internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanProtobuf

/// The transformation of the integers of a message into coordinates (Docs/REST.md, 3).
struct PBFTransform {
  /// The step along each axis, and where counting begins.
  struct Axes {
    var x: Double
    var y: Double
    var z: Double
    var m: Double
  }

  private var scale = Axes(x: 1, y: 1, z: 1, m: 1)
  private var translate = Axes(x: 0, y: 0, z: 0, m: 0)

  init() {}

  init(_ message: PBFCursor) throws(PBFError) {
    var message = message
    var isLowerLeft = false
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .varint): isLowerLeft = try message.varint() == 1
      case (2, .lengthDelimited): try Self.read(try message.message(), into: &scale)
      case (3, .lengthDelimited): try Self.read(try message.message(), into: &translate)
      default: try message.skip(tag.type)
      }
    }
    // Counted from the upper left, y runs downwards.
    if !isLowerLeft { scale.y = -scale.y }
  }

  /// Measures come before heights.
  private static func read(
    _ message: PBFCursor, into axes: inout Axes
  ) throws(PBFError) {
    var message = message
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .fixed64): axes.x = try message.double()
      case (2, .fixed64): axes.y = try message.double()
      case (3, .fixed64): axes.m = try message.double()
      case (4, .fixed64): axes.z = try message.double()
      default: try message.skip(tag.type)
      }
    }
  }

  @inline(__always)
  func coordinate(_ x: Int64, _ y: Int64) -> Coordinate {
    Coordinate(
      x: Double(x) * scale.x + translate.x, y: Double(y) * scale.y + translate.y)
  }

  @inline(__always)
  func height(_ z: Int64) -> Double { Double(z) * scale.z + translate.z }

  @inline(__always)
  func measure(_ m: Int64) -> Double { Double(m) * scale.m + translate.m }
}
