/// The modes of blending a layer's colours with those below it, by the names of web maps.
///
/// Those that cairo does not have (`average`, `invert`, `minus`, `reflect`, `vivid-light`) are
/// worked out pixel by pixel.
///
/// - SeeAlso: [blendMode](https://developers.arcgis.com/javascript/latest/api-reference/esri-layers-mixins-BlendLayer.html)
package enum BlendMode: String, Hashable, Sendable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, difference, exclusion, hue, saturation
  case color, luminosity, plus, lighter, xor
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  case sourceIn = "source-in"
  case sourceOut = "source-out"
  case sourceAtop = "source-atop"
  case destinationOver = "destination-over"
  case destinationIn = "destination-in"
  case destinationOut = "destination-out"
  case destinationAtop = "destination-atop"
  case average, invert, minus, reflect
  case vividLight = "vivid-light"

  /// Whether the mode is worked out pixel by pixel.
  package var needsPixels: Bool {
    switch self {
    case .average, .invert, .minus, .reflect, .vividLight: true
    default: false
    }
  }

  /// Whether the mode takes away what is below where the layer is clear.
  package var clearsBelow: Bool {
    switch self {
    case .sourceIn, .sourceOut, .destinationIn, .destinationOut, .destinationAtop, .xor: true
    default: false
    }
  }

  /// The blend of two opaque colours, as shares from 0 to 1, in a mode that needs pixels.
  func mixed(_ below: Double, _ above: Double) -> Double {
    switch self {
    case .average: (below + above) / 2
    case .invert: 1 - below
    case .minus: max(below - above, 0)
    case .reflect: above >= 1 ? 1 : min(below * below / (1 - above), 1)
    case .vividLight:
      above < 0.5
        ? (above <= 0 ? 0 : max(1 - (1 - below) / (2 * above), 0))
        : (above >= 1 ? 1 : min(below / (2 * (1 - above)), 1))
    default: above
    }
  }
}
