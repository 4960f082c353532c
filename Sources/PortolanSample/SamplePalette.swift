internal import PortolanMap

/// The colours of the pictures that the sample draws.
///
/// Those of the backdrop are multiples of 4, which merging shades leaves as they are: otherwise tiles
/// with few colours and tiles with many would differ where they meet.
enum SamplePalette {
  static let sea = RGBAColor(red: 224, green: 236, blue: 244)
  /// Water beside the land, from the widest band to the narrowest.
  static let shallows = [
    RGBAColor(red: 212, green: 228, blue: 240), RGBAColor(red: 196, green: 220, blue: 236),
    RGBAColor(red: 176, green: 208, blue: 228),
  ]
  static let lake = RGBAColor(red: 184, green: 212, blue: 232)
  static let river = RGBAColor(red: 140, green: 184, blue: 212)
  static let home = RGBAColor(red: 248, green: 240, blue: 212)
  static let neighbours = RGBAColor(red: 236, green: 232, blue: 220)
  static let coast = RGBAColor(red: 96, green: 120, blue: 140)
  static let border = RGBAColor(red: 142, green: 102, blue: 128)
  static let borderBand = RGBAColor(red: 190, green: 150, blue: 178, alpha: 60)
  static let sky = RGBAColor(red: 221, green: 236, blue: 245)
  static let rock = RGBAColor(red: 125, green: 118, blue: 108)
  static let stone = RGBAColor(red: 168, green: 166, blue: 160)
  static let white = RGBAColor(red: 252, green: 252, blue: 250)
  static let red = RGBAColor(red: 196, green: 52, blue: 44)
  static let light = RGBAColor(red: 255, green: 222, blue: 120)
  static let line = RGBAColor(red: 60, green: 60, blue: 64)
  static let park = RGBAColor(red: 204, green: 226, blue: 184)
  static let main = RGBAColor(red: 44, green: 110, blue: 170)
}
