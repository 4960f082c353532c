import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.needsSharedFiles, .temporaryDirectory) struct SwappedPositionTests {
  private static let canyonlands = SharedFiles.url("samples/preplanned-package/canyonlands")
    .path(percentEncoded: false)

  private func answer(to line: String) async -> String {
    let console = TranscriptConsole()
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model())
    _ = await session.interpreter.run("open '\(Self.canyonlands)' --quiet", in: session)
    let length = console.transcript.count
    _ = await session.interpreter.run(line, in: session)
    await session.app.close()
    return String(console.transcript.dropFirst(length))
  }

  @Test(arguments: [
    "identify 38.3,-109.9", "edit add CNP_Trails --at 38.3,-109.9 --at 38.4,-109.9",
  ])
  func `A latitude that no latitude can be is refused, with the order that is wanted`(
    line: String
  ) async {
    let text = await answer(to: line)
    #expect(text.contains("in this order") || text.contains("comes first: -109.9,38.3"), "\(text)")
  }

  @Test func `A position inside of the map is taken without a word`() async {
    #expect(await !answer(to: "identify -109.9,38.3").contains("exchanged"))
  }
}
