internal import PortolanApp

extension Problem {
  /// The advice, naming the commands that follow it.
  var commandAdvice: String? { advice(wording: \.command) }
}

extension NextAction.Kind {
  /// A text in which the command that does this is in place of the general advice.
  func naming(commandIn text: String) -> String {
    NextAction(self).command.map { text.replacing(sentence, with: $0) } ?? text
  }
}

extension NextAction {
  /// The action as a sentence that names its command; `nil` if no command is needed for it.
  fileprivate var command: String? {
    switch kind {
    case .signIn, .signInWithBrowser, .signInWithCode, .retryLayer, .skipLayer: accountCommand
    case .listAreas, .listMaps, .download, .listJobs, .listDeleted, .listKept, .findWebMaps,
      .repair, .freeSpace, .discardEdits, .rollBack, .exportMap, .exportDamaged, .sendEdits:
      libraryCommand
    case .inspect, .listFields, .findFeatures, .identify, .openFile, .openPopup, .loadWebMap,
      .listLayers,
      .chooseLayer, .replace, .importTiles, .readFeatures:
      mapCommand
    case .goOnline:
      "Connect to a network, or leave --offline out; what is stored here can be used."
    case .listTileRegions: "\"tiles regions\" lists the regions."
    case .listTileSources: "\"tiles status\" lists the sources."
    case .allowRegions: "If its operator allows regions, say so with --allow-bulk."
    case .unpack, .unpackCopy: unpackingCommand
    case .changeSetting: "Set it with \"settings set \(subject ?? "KEY") VALUE\"."
    case .chooseAnotherHome: "Choose another home folder with --home."
    case .retry, .chooseAnotherName: nil
    }
  }

  /// The command that unpacks a package in one file into a folder, quoted for a shell.
  private var unpackingCommand: String? {
    guard let subject else { return nil }
    let file = kind == .unpack ? subject : ShellWord.fileName(for: subject) + ".mmpk"
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let folder = name.split(separator: ".").dropLast().joined(separator: ".")
    let target = ShellWord.quoted(folder.isEmpty ? name + "-map" : folder)
    let export = "portolan export \(ShellWord.quoted(subject)) \(file), then "
    return
      "Edit a copy in a folder: \(kind == .unpack ? "" : export)portolan unpack \(ShellWord.quoted(file)) "
      + "\(target), and name it with --map \(target)."
  }

  private var accountCommand: String? {
    switch kind {
    case .signIn: "Sign in, with \"sign-in\"."
    case .signInWithBrowser: "\"sign-in --oauth\" uses the browser."
    case .signInWithCode: "Sign in with a code from the browser: \"sign-in --code\"."
    case .retryLayer:
      "Ask for it again as a user who may see it, with \"layer retry LAYER --user NAME\"."
    default: "\"layer skip LAYER\" leaves it out."
    }
  }

  private var libraryCommand: String? {
    switch kind {
    case .listAreas:
      subject.map { "\"areas \($0)\" lists its areas." }
        ?? "\"areas WEBMAP\" lists the areas of a web map, and \"search\" finds packages."
    case .download: "\"download\" takes it offline."
    case .listMaps: "\"maps\" lists the maps that are known."
    case .listJobs: "\"jobs\" lists the jobs."
    case .listDeleted: "\"storage\" lists what was deleted."
    case .listKept: "\"kept\" lists what was set aside, and \"kept restore NAME\" puts it back."
    case .findWebMaps: "\"search --type 'Web Map'\" finds web maps."
    case .repair: "\"audit\" lists what is wrong, and \"repair\" repairs it."
    case .sendEdits: "\"sync\" sends your edits."
    case .discardEdits: "--discard-edits gives them up."
    case .rollBack:
      "\"rollback \(subject.map(ShellWord.quoted) ?? "MAP")\" restores the version before, to send, "
        + "export or undo them."
    case .exportMap:
      "Keep them in a file, with \"export \(subject.map(ShellWord.quoted) ?? "MAP") FILE\"."
    case .exportDamaged: "\"export --damaged\" writes it as it is."
    default: "Free some space; \"storage\" lists what takes it."
    }
  }

  private var mapCommand: String? {
    switch kind {
    case .inspect: "\"inspect\" lists what a file holds."
    case .listFields: "\"features FILE --layer NAME --limit 1\" shows the fields of a layer."
    case .findFeatures: "Look for it with \"features\"."
    case .identify: "Find features first, with \"identify X,Y\"."
    case .openFile:
      subject.map { "\"open \(ShellWord.quoted($0))\" opens it." } ?? "Open one with \"open FILE\"."
    case .importTiles:
      "\"open FILE\" shows its tiles, and \"tiles import FILE\" imports them as a region."
    case .readFeatures:
      "\"inspect FILE\" lists its layers, and \"convert\" writes them to another file."
    case .openPopup: "Open one with \"popup N\"."
    case .loadWebMap: "Load one with \"web-map ID\"."
    case .listLayers: "\"toc\" lists them."
    case .chooseLayer: "Choose one with --layer."
    default: "Replace it with \(subject == nil ? "--yes" : "--overwrite")."
    }
  }
}
