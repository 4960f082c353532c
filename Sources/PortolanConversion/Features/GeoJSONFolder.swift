internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles

/// Writes each table to a GeoJSON file of its own in a folder.
struct GeoJSONFolder {
  private let conversion: FeatureConversion
  private let target: ConversionTarget

  init(_ conversion: FeatureConversion, _ target: ConversionTarget) {
    self.conversion = conversion
    self.target = target
  }

  /// Writes the files; the folder appears when all are complete.
  func write(_ coordinates: Conversion.Coordinates) async throws -> ConversionResult {
    var folder = try StagedFolder(target.url)
    var names = FileNames()
    var result = ConversionResult()
    for failure in conversion.source.failures { result.add(failure) }
    result.addUnlisted(conversion.source.unlistedFailureCount)
    for schema in conversion.source.schemas {
      let file = names.unused(schema.name, ending: "geojson")
      let part = FeatureConversion(
        source: conversion.source.limited(to: schema), environment: conversion.environment,
        throttle: conversion.throttle)
      let partResult = try await part.write(
        to: try folder.place(for: file), as: .geoJSON, coordinates: coordinates)
      result.add(partResult, file: file)
    }
    // What is to be said of all tables is said once.
    var said: Set<String> = []
    result.notes = result.notes.filter { said.insert($0).inserted }
    try target.complete(folder)
    return result
  }
}

/// Hands out unique file names.
struct FileNames {
  private var taken: Set<String> = []

  init() {}

  /// A name like `name` that no file has yet, whatever the case.
  mutating func unused(_ name: String, ending: String) -> String {
    let plain = name.map { $0 == "/" || $0 == "\\" || $0 == "\0" || $0.isNewline ? "_" : $0 }
    // Ext4 and others take 255 bytes; a character takes up to four and often less.
    var stem = String(plain.prefix(60)).trimmingCharacters(in: .controlCharacters)
    while stem.hasPrefix(".") { stem.removeFirst() }
    if stem.isEmpty { stem = "layer" }
    var candidate = "\(stem).\(ending)"
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(stem)_\(number).\(ending)"
      number += 1
    }
    return candidate
  }
}
