/// A way to paint a path.
package enum PathPaint: Hashable, Sendable {
  case fill(FillStyle)
  case stroke(StrokeStyle)
}
