internal import PortolanGeometry
internal import PortolanImages

/// A decoded tile and the ground it covers, in the reference of its scheme.
struct TilePicture: Sendable {
  var image: PixelImage
  var extent: Envelope
}
