import PortolanApp
import Testing

@testable import PortolanREPL

/// The list of layers, as people read it.
@Suite struct TableOfContentsPageTests {
  private static func text(_ omissions: [String]) -> String {
    var state = TableOfContentsModel.State()
    state.omissions = omissions
    return TextLayout(width: 60, usesColor: false).text(of: TableOfContentsPage(state: state).text)
  }

  @Test func `Layers left out of an offline map are listed below its layers`() {
    let text = Self.text(["Soundings: The service is gone.", "Charts: There is no export."])
    #expect(text.contains("Left out when the map was taken offline"))
    #expect(text.contains("- Soundings: The service is gone."))
    #expect(text.contains("- Charts: There is no export."))
    #expect(!Self.text([]).contains("Left out"))
  }
}
