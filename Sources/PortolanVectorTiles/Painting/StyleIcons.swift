internal import PortolanMap

/// The painting of an icon that is a shape.
struct IconPaint: Hashable {
  var color: RGBAColor
  var halo: RGBAColor?
  /// In pixels of the style.
  var haloWidth: Double
  /// The width over which the halo fades, in pixels of the style.
  var haloBlur: Double
  /// The factor by which the icon is drawn larger than it is stored, in pixels of the style.
  var scale: Double
  /// The pixels of the picture along one of the style.
  var ratio: Double
}

/// The icons of a style, each cut out and painted once.
package final class StyleIcons {
  /// Painted icons that are kept; more are painted again each time.
  private static let maximumKept = 4096

  private struct Key: Hashable {
    var name: String
    var paint: IconPaint?
  }

  private let sprites: SpriteSheet?
  /// The icons that there are.
  let names: Set<String>
  private var kept: [Key: SpriteSheet.Icon?] = [:]

  package init(_ sprites: SpriteSheet?) {
    self.sprites = sprites
    names = sprites?.names ?? []
  }

  /// An icon, painted if it is a shape; `nil` if there is none of that name.
  func icon(_ name: String, _ paint: IconPaint? = nil) -> SpriteSheet.Icon? {
    guard let bare = find(Key(name: name, paint: nil), make: { sprites?.icon(name) }) else {
      return nil
    }
    guard bare.isShape, let paint else { return bare }
    return find(Key(name: name, paint: paint)) {
      bare.painted(paint)
    }
  }

  private func find(_ key: Key, make: () -> SpriteSheet.Icon?) -> SpriteSheet.Icon? {
    if let known = kept[key] { return known }
    let icon = make()
    if kept.count < Self.maximumKept { kept[key] = .some(icon) }
    return icon
  }
}
