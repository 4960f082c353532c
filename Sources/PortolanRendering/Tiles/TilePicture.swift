internal import PortolanGeometry
internal import PortolanImages

/// A decoded tile and its extent, in the reference of its scheme.
struct TilePicture: Sendable {
  var image: PixelImage
  var extent: Envelope
}
