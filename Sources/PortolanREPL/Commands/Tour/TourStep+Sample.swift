internal import Foundation

extension TourStep {
  /// A walk through the sample package at a path.
  static func sample(at path: String) -> [TourStep] {
    let file = "'" + path.replacing("'", with: #"'\''"#) + "'"
    return [
      TourStep(
        words: "A mobile map package is a file with maps and all their data. This one holds three.",
        command: "open \(file)"),
      TourStep(words: "The layers of the first map, and which are on.", command: "toc"),
      TourStep(words: "What the symbols mean.", command: "legend"),
      TourStep(words: "Places that the author of the map named.", command: "bookmarks"),
      TourStep(words: "Go to one of them.", command: "go-to \"Portland Head\""),
      TourStep(words: "Which features are at that point?", command: "identify -70.2079,43.6231"),
      TourStep(words: "More about the first of them.", command: "popup 1"),
      TourStep(
        words: "Switch a layer off, and its features are no longer found.",
        command: "hide Lighthouses"),
      TourStep(words: "As before, without the lighthouse.", command: "identify -70.2079,43.6231"),
      TourStep(
        words: "Another map of the package, of the lighthouses only.", command: "open --map 2"),
      TourStep(
        words: "Close in, each lighthouse has a symbol of its own.",
        command: "view --center -70.2079,43.6231 --scale 25000"),
      TourStep(words: "Its legend.", command: "legend"),
      TourStep(words: "The lighthouse again.", command: "identify -70.2079,43.6231"),
      TourStep(
        words: "This map's popup has a chart, the files of the lighthouse and its history.",
        command: "popup 1"),
      TourStep(
        words: "The features themselves, as GeoJSON, by a condition.",
        command:
          "features \(file) --layer Towns --where \"POPULATION > 35000\""),
    ]
  }
}
