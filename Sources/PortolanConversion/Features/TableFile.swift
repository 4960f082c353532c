public import Foundation
public import PortolanFeatures

/// Files that hold one table and are read as a whole: shapefiles, FlatGeobuf, comma-separated values and
/// features in Esri's JSON.
public enum TableFile {
  /// Reads a shapefile by its `.shp`, with the files beside it.
  ///
  /// Rows whose shape cannot be read are without one, and reported.
  ///
  /// - Throws: `FeatureStoreError` if it is none, its header is damaged, or it uses what is not supported.
  @concurrent public static func shapefile(
    at url: URL
  ) async throws(FeatureStoreError) -> any FeatureStore {
    SurveyedTables(try ShapefileReader(url).contents(), name: url.lastPathComponent)
  }

  /// Reads a FlatGeobuf file.
  ///
  /// Where shapes are of several families, each has a table. Rows with a curve or a collection are without a
  /// shape, and reported.
  ///
  /// - Throws: `FeatureStoreError` if it is none, is damaged, or uses what is not supported.
  @concurrent public static func flatGeobuf(
    at url: URL
  ) async throws(FeatureStoreError) -> any FeatureStore {
    SurveyedTables(try FlatGeobufReader(url).contents(), name: url.lastPathComponent)
  }

  /// Reads features in Esri's JSON, as feature services answer queries.
  ///
  /// Rows whose shape cannot be read are without one, and reported.
  ///
  /// - Throws: `FeatureStoreError` if it is no JSON, lists no features, or is larger than fits in memory.
  @concurrent public static func featureSet(
    at url: URL
  ) async throws(FeatureStoreError) -> any FeatureStore {
    SurveyedTables(try FeatureSetReader(url).contents(), name: url.lastPathComponent)
  }

  /// Reads comma-separated values; a column of well-known text makes shapes, else columns of longitude
  /// and latitude, or of x and y, make points.
  ///
  /// A `.prj` beside the file says what coordinates mean. Without one they are degrees on WGS 84 where
  /// they can be, and are unknown otherwise.
  ///
  /// - Throws: `FeatureStoreError` if there is no text, or no line with the names of columns.
  @concurrent public static func csv(
    at url: URL
  ) async throws(FeatureStoreError) -> any FeatureStore {
    SurveyedTables(try CSVReader(url).contents(), name: url.lastPathComponent)
  }
}
