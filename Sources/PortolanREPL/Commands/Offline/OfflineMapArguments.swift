internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// The arguments of commands on areas of web maps: the map, the area, and options.
struct OfflineMapArguments {
  static let map = Parameter.argument(
    "MAP",
    "The id of a web map, the title of one on the list, or the beginning of an id that \"search\" found.",
    completion: .word(.webMap))
  static let area = Parameter.argument(
    "AREA", "west,south,east,north in degrees, or a file with a polygon as GeoJSON or Esri JSON.",
    completion: .file)
  static let title = Parameter.option("title", "TITLE", "The name of the offline map.")
  static let minScale = Parameter.option(
    "min-scale", "NUMBER", "The smallest scale of tiles, such as 1000000; no limit unless given.")
  static let maxScale = Parameter.option(
    "max-scale", "NUMBER", "The largest scale of tiles, such as 10000; no limit unless given.")
  static let noBasemap = Parameter.flag("no-basemap", "Leave out the layers of the basemap.")
  static let basemap = Parameter.option(
    "basemap", "FILE", "A tile package of this device to show instead of the map's basemap.",
    completion: .file)
  static let noUpdates = Parameter.flag(
    "no-updates", "Make a copy that is not registered at the services and cannot be synchronized.")
  static let keepOnline = Parameter.flag(
    "keep-online", "Keep layers that cannot be taken offline; they need a network.")
  static let attachments = Parameter.option(
    "attachments", "LAYERS",
    "The layers whose attachments are downloaded: \(returns.map(\.rawValue).joined(separator: ", ")).",
    completion: .choice(returns.map(\.rawValue)))
  static let attachmentSync = Parameter.option(
    "attachment-sync", "DIRECTION",
    "In which direction attachments are synchronized: "
      + directions.map(\.rawValue).joined(separator: ", ") + ".",
    completion: .choice(directions.map(\.rawValue)))
  static let schemaOnly = Parameter.flag(
    "schema-only", "Take editable layers without their features, to collect new ones.")
  static let allRows = Parameter.flag(
    "all-rows", "Take all rows of tables, not only those that relate to features.")
  static let ignoreFilters = Parameter.flag(
    "ignore-filters", "Take features that the map hides by a condition, too.")
  static let without = Parameter.option(
    "without", "LAYER", "A layer or table to leave out, by its id or title; may be repeated.",
    count: .any)
  static let stopOnErrors = Parameter.flag(
    "stop-on-errors", "Fail if a part cannot be downloaded.")

  /// The options of all commands that take an area.
  static let options = [
    title, minScale, maxScale, noBasemap, basemap, noUpdates, keepOnline, attachments,
    attachmentSync, schemaOnly, allRows, ignoreFilters, without, stopOnErrors,
  ]

  /// The options on which the capabilities depend.
  static let optionsOfLayers = [noBasemap, basemap, keepOnline, without]

  private static var returns: [OfflineMapOptions.Attachments] {
    OfflineMapOptions.Attachments.allCases
  }

  private static var directions: [OfflineMapOptions.AttachmentSync] {
    OfflineMapOptions.AttachmentSync.allCases
  }

  private let webMap: String
  private let area: String
  private let options: OfflineMapOptions

  init(parsing arguments: Arguments) throws(UsageError) {
    webMap = try arguments.required(Self.map, as: .text)
    area = try arguments.required(Self.area, as: .area)
    if OfflineMapArea(degrees: area) != nil {
      // A longitude beyond 180 crosses the antimeridian, which is reported as that.
      _ = try arguments.box(of: Self.area, in: .degreesUpTo360)
    }
    options = try Self.options(parsing: arguments)
  }

  /// The options that a command was given, of those that it has.
  static func options(parsing arguments: Arguments) throws(UsageError) -> OfflineMapOptions {
    var options = OfflineMapOptions()
    options.title = try arguments.value(of: title, as: .text)
    options.minScale = try arguments.value(of: minScale, as: .positiveNumber)
    options.maxScale = try arguments.value(of: maxScale, as: .positiveNumber)
    options.leavesOutBasemap = arguments.isSet(noBasemap)
    options.referenceBasemap = try arguments.value(of: basemap, as: .file)
    guard options.referenceBasemap == nil || !options.leavesOutBasemap else {
      throw UsageError("Give --basemap alone: it says which basemap is shown.")
    }
    options.hasNoUpdates = arguments.isSet(noUpdates)
    options.keepsOnlineLayers = arguments.isSet(keepOnline)
    options.attachments = try arguments.value(
      of: attachments, as: .choice(returns.map(\.rawValue))
    ).flatMap { .init(rawValue: $0) }
    options.attachmentSync = try arguments.value(
      of: attachmentSync, as: .choice(directions.map(\.rawValue))
    ).flatMap { .init(rawValue: $0) }
    options.schemaOnly = arguments.isSet(schemaOnly)
    options.allRows = arguments.isSet(allRows)
    options.ignoresFilters = arguments.isSet(ignoreFilters)
    options.leftOutLayers = Set(try arguments.values(of: without, as: .text))
    options.stopsOnErrors = arguments.isSet(stopOnErrors)
    return options
  }

  /// The request that the arguments describe.
  @MainActor func request(
    in session: Session
  ) async throws(Problem) -> OfflineMapModel.Request {
    let area =
      if let degrees = OfflineMapArea(degrees: self.area) {
        degrees
      } else {
        try OfflineMapArea(readingFrom: URL(typedPath: self.area))
      }
    let known = try await session.app.knownWebMap(named: webMap)
    return OfflineMapModel.Request(
      webMap: known?.id ?? session.app.portal?.itemID(named: webMap) ?? webMap,
      portal: session.options.portal ?? known?.portal, area: area,
      options: options)
  }
}

extension ValueFormat<String> {
  /// `west,south,east,north`, or the path of a file.
  fileprivate static let area = ValueFormat(
    "west,south,east,north in degrees, such as -70.6,43.4,-69.9,43.9, or a file with a polygon"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    // A text that consists of numbers is meant to be a box, not a file.
    let isBox = parts.count > 1 && numbers.count == parts.count
    return text.isEmpty || isBox && OfflineMapArea(degrees: text) == nil ? nil : text
  }
}
