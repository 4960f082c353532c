import Testing

@testable import PortolanGeodatabase

@Suite struct LineSelfContactTests {
  typealias Position = BlobShape.Position

  @Test(
    arguments: [
      ("a straight line", [[0, 0, 5, 0, 9, 0]]),
      ("a corner", [[0, 0, 5, 0, 5, 5]]),
      ("a closed loop", [[0, 0, 5, 0, 5, 5, 0, 0]]),
      ("two paths that meet at their ends", [[0, 0, 5, 5], [5, 5, 9, 0]]),
      ("three paths that meet at their ends", [[0, 0, 5, 5], [5, 5, 9, 0], [5, 5, 5, 9]]),
      ("an end on the end of a loop", [[0, 0, 5, 0, 5, 5, 0, 0], [-5, 0, 0, 0]]),
      ("a repeated vertex", [[0, 0, 5, 0, 5, 0, 9, 3]]),
      ("two paths apart", [[0, 0, 9, 0], [0, 1, 9, 1]]),
      ("nothing", []),
      ("one vertex", [[1, 1]]),
      ("a path without length", [[1, 1, 1, 1]]),
    ] as [(String, [[Int64]])])
  func `A line without bad contact is simple`(_ name: String, _ paths: [[Int64]]) {
    #expect(LineSelfContact(paths.map(positions)).isSimple)
  }

  @Test(
    arguments: [
      ("a crossing", [[0, 0, 9, 9, 9, 0, 0, 9]]),
      ("an end on the middle of a segment", [[0, 0, 9, 0, 9, 5, 4, 5, 4, 0]]),
      ("an end on an inner vertex", [[0, 0, 5, 0, 9, 0, 9, 5, 5, 0]]),
      ("a way back", [[0, 0, 9, 0, 4, 0]]),
      ("two paths that cross", [[0, 0, 9, 9], [0, 9, 9, 0]]),
      ("an end on the middle of another path", [[0, 0, 9, 0], [4, 0, 4, 9]]),
      ("two paths that share a stretch", [[0, 0, 9, 0], [4, 0, 12, 0]]),
      ("the same path twice", [[0, 0, 9, 0], [0, 0, 9, 0]]),
      ("a loop that passes its start", [[0, 0, 5, 5, 9, 0, 0, 0, -5, -5]]),
    ] as [(String, [[Int64]])])
  func `A line that touches or crosses itself is not simple`(
    _ name: String, _ paths: [[Int64]]
  ) {
    #expect(!LineSelfContact(paths.map(positions)).isSimple)
  }

  @Test func `The largest numbers do not overflow`() {
    let far = CoordinatePrecision.greatestNumber
    #expect(!LineSelfContact([positions([0, 0, far, far, far, 0, 0, far])]).isSimple)
    #expect(LineSelfContact([positions([0, 0, far, far - 1, far, far])]).isSimple)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3] as [Int64])
  func `Hatching of a hundred thousand strokes is checked quickly`(_ slope: Int64) {
    let strokes = (0..<100_000).map { index -> [Position] in
      let x = Int64(index) * 10
      return [Position(x: x, y: 0), Position(x: x + 100_000 * slope, y: 100_000 * slope)]
    }
    #expect(LineSelfContact(strokes).isSimple)
  }

  @Test func `A long walk that ends on its own track is found out`() {
    var walk = (0..<100_000).map { Position(x: Int64($0) * 3, y: Int64($0 % 7)) }
    #expect(LineSelfContact([walk]).isSimple)
    walk += [Position(x: 300_000, y: 100), Position(x: 150_000, y: 100), walk[50_001]]
    #expect(!LineSelfContact([walk]).isSimple)
  }

  private func positions(_ numbers: [Int64]) -> [Position] {
    stride(from: 0, to: numbers.count, by: 2).map { Position(x: numbers[$0], y: numbers[$0 + 1]) }
  }
}
