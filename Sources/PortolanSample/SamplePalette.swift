internal import PortolanMap

/// The colours of the pictures that the sample draws.
enum SamplePalette {
  static let sea = RGBAColor(red: 186, green: 212, blue: 228)
  static let shallows = RGBAColor(red: 201, green: 224, blue: 236)
  static let lake = RGBAColor(red: 170, green: 203, blue: 224)
  static let home = RGBAColor(red: 246, green: 242, blue: 228)
  static let neighbours = RGBAColor(red: 230, green: 227, blue: 218)
  static let coast = RGBAColor(red: 122, green: 150, blue: 168)
  static let border = RGBAColor(red: 158, green: 140, blue: 124)
  static let graticule = RGBAColor(red: 90, green: 120, blue: 140, alpha: 70)
  static let sky = RGBAColor(red: 221, green: 236, blue: 245)
  static let rock = RGBAColor(red: 125, green: 118, blue: 108)
  static let stone = RGBAColor(red: 168, green: 166, blue: 160)
  static let white = RGBAColor(red: 252, green: 252, blue: 250)
  static let red = RGBAColor(red: 196, green: 52, blue: 44)
  static let light = RGBAColor(red: 255, green: 222, blue: 120)
  static let line = RGBAColor(red: 60, green: 60, blue: 64)
}
