public import PortolanJSON

/// A colour in sRGB with opacity, each from 0 to 255.
public struct RGBAColor: Hashable, Sendable, Codable {
  /// The red component.
  public var red: UInt8
  /// The green component.
  public var green: UInt8
  /// The blue component.
  public var blue: UInt8
  /// The opacity: 0 is invisible.
  public var alpha: UInt8

  /// Creates a colour, opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `[r, g, b]` or `[r, g, b, a]`; `nil` for anything else, `null` included.
  ///
  /// Values outside 0 to 255 are clamped; fractions are rounded.
  public init?(json: JSONValue?) {
    guard let parts = json?.array, (3...4).contains(parts.count) else { return nil }
    let bytes = parts.compactMap(\.lenientNumber).map { UInt8(min(max($0, 0), 255).rounded()) }
    guard bytes.count == parts.count else { return nil }
    self.init(
      red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
  }

  /// The colour as `[r, g, b, a]`.
  public var json: JSONValue {
    .array([red, green, blue, alpha].map { .integer(Int64($0)) })
  }

  /// The colour as `#rrggbb`, with two more digits if it is not opaque.
  public var hexadecimal: String {
    let bytes = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
