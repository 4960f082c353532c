import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Popups of authors who use more of Arcade than is evaluated.
@MainActor
@Suite(.temporaryDirectory) struct UnsupportedArcadeTests {
  private static let map = #"""
    {"map": {"version": "2.37", "baseMap": {"title": "None"}, "spatialReference": {"wkid": 4326},
      "operationalLayers": [{"id": "lights", "title": "Lights", "featureCollection": {"layers": [{
        "layerDefinition": {"name": "lights", "geometryType": "esriGeometryPoint",
          "objectIdField": "OBJECTID", "spatialReference": {"wkid": 4326}, "fields": [
            {"name": "OBJECTID", "type": "esriFieldTypeOID"},
            {"name": "NAME", "type": "esriFieldTypeString"}]},
        "featureSet": {"geometryType": "esriGeometryPoint", "features": [
          {"attributes": {"OBJECTID": 1, "NAME": "Ridge"}, "geometry": {"x": -70.3, "y": 43.5}},
          {"attributes": {"OBJECTID": 2, "NAME": "Ledge"}, "geometry": {"x": -70.3, "y": 43.5}}]},
        "popupInfo": {"title": "{NAME}{expression/size}", "description": "Seen {expression/size}.",
          "expressionInfos": [{"name": "size", "title": "Size", "expression": "Area($feature)"}]}
      }]}}]},
     "item": {"title": "Lights"}}
    """#
  private static let reason =
    "\"Size\" is left blank: The Arcade expression uses the function Area, which is not supported."

  private func answers(_ lines: [String], json: Bool = false) async throws -> [String] {
    let folder = temporaryDirectory.appending(path: "lights")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let info = #"{"title": "Lights", "version": "3.2", "maps": ["lights"]}"#
    for (name, text) in [("package.info", info), ("lights.mmap", Self.map)] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let console = TranscriptConsole()
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    var options = GlobalOptions()
    options.format = json ? .json : .text
    let session = Session(
      console: console, options: options,
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model())
    try await session.app.open(folder)
    return await console.answers(to: lines, in: session)
  }

  @Test func `What is found and its popup say why a value is blank`() async throws {
    // Sentences are told in lines as wide as the window.
    let answers = try await answers(["identify -70.3,43.5", "popup 1"]).map { answer in
      answer.replacing(/\s+/, with: " ")
    }
    #expect(answers[0].contains(" 1 Ridge (id 1)"), "\(answers)")
    #expect(answers[0].components(separatedBy: Self.reason).count == 2, "once for both features")
    #expect(answers[1].contains("Seen .") && answers[1].contains("Note: \(Self.reason)"))
  }

  @Test func `So do their documents`() async throws {
    let answers = try await answers(["identify -70.3,43.5", "popup 1"], json: true)
    for answer in answers {
      #expect(answer.contains("\"notEvaluated\""), "\(answer)")
      #expect(answer.contains("The Arcade expression uses the function Area"), "\(answer)")
    }
  }
}
