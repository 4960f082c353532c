internal import CProj

/// The way from one reference to another, as PROJ found it; x is east or longitude on both sides.
struct ProjTransformation: ~Copyable {
  private let object: ProjObject

  init(
    from source: SpatialReference, to target: SpatialReference
  ) throws(GeometryError) {
    let context = try ProjContext()
    let start = try context.definition(of: source)
    let end = try context.definition(of: target)
    let found = unsafe ProjObject(
      proj_create_crs_to_crs_from_pj(context.handle, start.handle, end.handle, nil, nil),
      in: context)
    guard let found,
      let normalized = unsafe ProjObject(
        proj_normalize_for_visualization(context.handle, found.handle), in: context)
    else {
      throw .noTransformation(
        from: source.displayName, to: target.displayName,
        reason: context.failureReason(or: "nothing says how one lies in the other"))
    }
    object = normalized
  }

  /// Moves all positions; those without a counterpart become infinite or not-a-number.
  borrowing func transform(_ coordinates: inout [Coordinate]) {
    let stride = MemoryLayout<Coordinate>.stride
    let count = coordinates.count
    unsafe coordinates.withUnsafeMutableBufferPointer { buffer in
      guard let first = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      let x = unsafe first.assumingMemoryBound(to: Double.self)
      _ = unsafe proj_trans_generic(
        object.handle, PJ_FWD, x, stride, count, x + 1, stride, count, nil, 0, 0, nil, 0, 0)
    }
  }

  /// The box around the image of `envelope`, or `nil`; `xMin` > `xMax` across the date line.
  borrowing func bounds(of envelope: Envelope) -> Envelope? {
    var image = Envelope.empty
    let isFound = unsafe proj_trans_bounds(
      object.context.handle, object.handle, PJ_FWD, envelope.xMin, envelope.yMin, envelope.xMax,
      envelope.yMax, &image.xMin, &image.yMin, &image.xMax, &image.yMax, Self.edgePoints)
    let edges = [image.xMin, image.yMin, image.xMax, image.yMax]
    return isFound != 0 && edges.allSatisfy(\.isFinite) ? image : nil
  }

  /// The number of positions between the corners of a box.
  static let edgePoints: Int32 = 21
}
