/// Steps that are being drawn on the bands of a canvas while the next are prepared.
package struct DrawingBatch: Sendable {
  /// The drawing of each band.
  let bands: [Task<Void, Never>]
  /// The number of vertices and other parts of the steps, which determines the memory they take.
  package let partCount: Int

  /// Waits until everything is drawn.
  package func finish() async {
    for band in bands { await band.value }
  }

  /// Leaves out what is not drawn yet.
  package func cancel() {
    for band in bands { band.cancel() }
  }
}
