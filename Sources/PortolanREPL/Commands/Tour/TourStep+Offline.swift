internal import PortolanApp

extension TourStep {
  /// The steps from a portal to a map that needs none.
  ///
  /// - Parameters:
  ///   - webMap: The id of the web map.
  ///   - canAsk: Whether there is a terminal to answer questions at.
  /// - Returns: The steps.
  static func offline(webMap: String, canAsk: Bool) -> [TourStep] {
    online(webMap: webMap) + withoutNetwork + tidying(canAsk: canAsk)
  }

  private static func online(webMap: String) -> [TourStep] {
    [
      TourStep(
        words: "A portal has been started on this machine. It has a web map.",
        command: "search \"Explore Maine\" --type \"Web Map\""),
      TourStep(
        words: "The owner of the map has prepared areas of it. One is still packaging, one failed.",
        command: "areas \(webMap)"),
      TourStep(
        words: "Before anything is fetched: how large is it, and is there room?",
        command: "download \"Casco Bay\" --plan"),
      TourStep(
        words:
          "Take it offline. Stopped at any moment, even by a power cut, it goes on from there.",
        command: "download \"Casco Bay\" --wait"),
      TourStep(words: "And another.", command: "download Acadia --wait"),
      TourStep(words: "Both took their rows in the list.", command: "maps"),
    ]
  }

  private static var withoutNetwork: [TourStep] {
    [
      TourStep(
        words: "Now the network is cut, and the portal is gone for good.", command: "maps",
        cutsNetwork: true),
      TourStep(words: "The map opens all the same.", command: "open \"Casco Bay\""),
      TourStep(words: "Its layers.", command: "toc"),
      TourStep(words: "What the symbols mean.", command: "legend"),
      TourStep(words: "Places that the author of the map named.", command: "bookmarks"),
      TourStep(words: "Go to one of them.", command: "go-to \"Portland Head\""),
      TourStep(words: "Which features are at that point?", command: "identify -70.2079,43.6231"),
      TourStep(words: "More about the first of them.", command: "popup 1"),
    ]
  }

  private static func tidying(canAsk: Bool) -> [TourStep] {
    [
      TourStep(
        words: "The open map cannot be deleted, but the other can, after a question.",
        command: canAsk ? "delete Acadia" : "delete Acadia --yes", tolerated: [.declined]),
      TourStep(
        words: "It can be restored for a while.", command: "undo", tolerated: [.notInTrash]),
      TourStep(words: "How much disk space all this takes.", command: "storage"),
      TourStep(words: "And whether all is sound.", command: "audit"),
      TourStep(
        words: "Last of all, a picture of the map that was taken offline.",
        command: "view --scale 200000 --picture"),
    ]
  }
}
