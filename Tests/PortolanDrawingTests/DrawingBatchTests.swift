import PortolanDrawing
import PortolanGeometry
import PortolanImages
import PortolanMap
import Testing

/// The drawing on bands while the next steps are prepared.
struct DrawingBatchTests {
  private let width = 300
  private let height = 517

  private func canvas() throws -> BandedCanvas {
    try BandedCanvas(width: width, height: height, kind: .pixels, concurrency: 3)
  }

  /// Steps with halves of a group, each over the steps before it.
  private func steps() -> [[DrawCommand]] {
    (0..<60).map { number in
      let shade = UInt8(number * 4)
      let color = RGBAColor(red: shade, green: 255 - shade, blue: 90, alpha: 200)
      let box = Envelope(
        xMin: Double(number), yMin: Double(number * 7), xMax: 280, yMax: Double(number * 7 + 90))
      let fill = DrawCommand.fill(.rectangle(box), .solid(color))
      return number % 2 == 0 ? [.beginGroup, fill] : [fill, .endGroup(opacity: 0.7)]
    }
  }

  @Test func `Steps that are begun one behind the other are drawn in their order`() async throws {
    let (waiting, begun) = (try canvas(), try canvas())
    var last: DrawingBatch?
    for commands in steps() {
      await waiting.draw(commands)
      last = begun.begin(commands, behind: last)
    }
    await last?.finish()
    #expect(try await begun.image() == waiting.image())
  }

  @Test func `A picture that waits to be drawn counts by the memory that it takes`() async throws {
    let image = try #require(
      PixelImage(
        width: width, height: height, pixels: Array(repeating: .max, count: width * height)))
    let pair: [DrawCommand] = [.image(image, .whole(of: image)), .image(image, .whole(of: image))]
    let batch = try canvas().begin(pair, behind: nil)
    await batch.finish()
    #expect(batch.partCount == 2 * (width * height / 4))
  }
}
