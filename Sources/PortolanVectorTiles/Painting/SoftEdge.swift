internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

/// Shapes of several sizes, one on the other, that make an edge fade towards the inside.
enum SoftEdge {
  /// Discs one on the other that make a circle fade from its edge: `blur` is the share of the radius
  /// over which it does, and more where even the middle is not covered whole.
  ///
  /// The edge of any circle fades over the outermost pixel inside of its radius, so half of that is
  /// missing where no more fades.
  static func rings(of radius: Double, blur: Double) -> [(size: Double, opacity: Double)] {
    let fading = min(blur, 1) * radius
    guard fading > 1 else { return [(radius - 0.5, 1)] }
    let count = min(max(Int(fading.rounded(.up)), 4), 32)
    var covered = 0.0
    return (0..<count).compactMap { number in
      let place = (Double(number) + 0.5) / Double(count) * min(blur, 1)
      let share = place / blur
      let wanted = share * share * (3 - 2 * share)
      defer { covered = wanted }
      guard wanted < 1, covered < 1 else { return nil }
      let size = radius - fading * Double(number) / Double(count)
      return (size, (wanted - covered) / (1 - covered))
    }
  }

  /// The colors of layers that cover together what they would of an opaque color, times the opacity of
  /// the color.
  static func colors(
    _ color: RGBAColor, of layers: [(size: Double, opacity: Double)]
  ) -> [(size: Double, color: RGBAColor)] {
    let opacity = Double(color.alpha) / 255
    var covered = 0.0
    return layers.map { layer in
      let wanted = covered + (1 - covered) * layer.opacity
      let left = 1 - opacity * covered
      defer { covered = wanted }
      return (layer.size, color.faded(left > 0 ? (wanted - covered) / left : 0))
    }
  }

  /// Sizes from the outermost, with what each covers.
  static func layers(
    of size: Double, fading blur: Double
  ) -> [(size: Double, opacity: Double)] {
    guard blur > 0.5 else { return [(size, 1)] }
    let count = 4
    return (0..<count).compactMap { number in
      let inner = size - blur * (Double(number) + 0.5) / Double(count)
      return inner > 0 ? (inner, 1 / Double(count - number)) : nil
    }
  }
}

/// A circle with a line around it, both of which fade together from the outermost edge.
struct SoftCircle {
  /// The colors along the radius that are given; between them they are mixed evenly.
  private static let steps = 32

  var radius: Double
  var strokeWidth: Double
  /// The share of the radius over which it fades.
  var blur: Double
  var color: RGBAColor
  var strokeColor: RGBAColor

  var graphic: MarkerGraphic {
    let whole = radius + strokeWidth
    let stops = (0...Self.steps).map { number in
      let place = Double(number) / Double(Self.steps)
      // Runs of colors reach to the corners of the box around a circle.
      return ColorStop(value: place / 2.0.squareRoot(), color: color(at: place))
    }
    return .shape(
      .circle(radius: whole), [.fill(.gradient(FillStyle.Gradient(stops: stops, angle: nil)))])
  }

  /// The color at a share of the whole radius.
  private func color(at place: Double) -> RGBAColor {
    let edge = radius / (radius + strokeWidth)
    let stroke = Self.smooth((place - edge) / blur + 1)
    let cover = Self.smooth((1 - place) / blur)
    let alphas = (
      Double(color.alpha) * (1 - stroke), Double(strokeColor.alpha) * stroke
    )
    let sum = alphas.0 + alphas.1
    func part(_ inner: UInt8, _ outer: UInt8) -> UInt8 {
      sum > 0 ? Self.byte((Double(inner) * alphas.0 + Double(outer) * alphas.1) / sum) : 0
    }
    return RGBAColor(
      red: part(color.red, strokeColor.red), green: part(color.green, strokeColor.green),
      blue: part(color.blue, strokeColor.blue), alpha: Self.byte(sum * cover))
  }

  private static func byte(_ number: Double) -> UInt8 {
    UInt8(min(max(number, 0), 255).rounded())
  }

  private static func smooth(_ share: Double) -> Double {
    let share = min(max(share, 0), 1)
    return share * share * (3 - 2 * share)
  }
}
