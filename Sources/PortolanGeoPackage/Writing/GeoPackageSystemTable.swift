/// The tables of a GeoPackage that describe the others, as the standard declares them.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1; [Table definition SQL](https://www.geopackage.org/spec131/#table_definition_sql)
enum GeoPackageSystemTable {
  /// Made in every file.
  static let core = [
    """
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, \
    organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, \
    definition TEXT NOT NULL, description TEXT)
    """,
    """
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, \
    identifier TEXT UNIQUE, description TEXT DEFAULT '', \
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), \
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, \
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))
    """,
    """
    CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, \
    geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, \
    m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), \
    CONSTRAINT uk_gc_table_name UNIQUE (table_name), \
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name), \
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))
    """,
    """
    CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, \
    extension_name TEXT NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL, \
    CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))
    """,
  ]

  /// Aliases and domains of columns.
  static let schema = [
    """
    CREATE TABLE gpkg_data_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, \
    name TEXT, title TEXT, description TEXT, mime_type TEXT, constraint_name TEXT, \
    CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name), \
    CONSTRAINT gdc_tn UNIQUE (table_name, name))
    """,
    """
    CREATE TABLE gpkg_data_column_constraints (constraint_name TEXT NOT NULL, \
    constraint_type TEXT NOT NULL, value TEXT, min NUMERIC, min_is_inclusive BOOLEAN, \
    max NUMERIC, max_is_inclusive BOOLEAN, description TEXT, \
    CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value))
    """,
  ]

  /// Descriptions of tables.
  static let metadata = [
    """
    CREATE TABLE gpkg_metadata (id INTEGER CONSTRAINT m_pk PRIMARY KEY ASC NOT NULL, \
    md_scope TEXT NOT NULL DEFAULT 'dataset', md_standard_uri TEXT NOT NULL, \
    mime_type TEXT NOT NULL DEFAULT 'text/xml', metadata TEXT NOT NULL DEFAULT '')
    """,
    """
    CREATE TABLE gpkg_metadata_reference (reference_scope TEXT NOT NULL, table_name TEXT, \
    column_name TEXT, row_id_value INTEGER, \
    timestamp DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), \
    md_file_id INTEGER NOT NULL, md_parent_id INTEGER, \
    CONSTRAINT crmr_mfi_fk FOREIGN KEY (md_file_id) REFERENCES gpkg_metadata(id), \
    CONSTRAINT crmr_mpi_fk FOREIGN KEY (md_parent_id) REFERENCES gpkg_metadata(id))
    """,
  ]

  /// What relates tables.
  static let relations = """
    CREATE TABLE gpkgext_relations (id INTEGER PRIMARY KEY AUTOINCREMENT, \
    base_table_name TEXT NOT NULL, base_primary_column TEXT NOT NULL DEFAULT 'id', \
    related_table_name TEXT NOT NULL, related_primary_column TEXT NOT NULL DEFAULT 'id', \
    relation_name TEXT NOT NULL, mapping_table_name TEXT NOT NULL UNIQUE)
    """
}

/// The extensions of the standard that files written here use.
enum GeoPackageExtension {
  case spatialIndex
  case schema
  case metadata
  case relatedTables

  var name: String {
    switch self {
    case .spatialIndex: "gpkg_rtree_index"
    case .schema: "gpkg_schema"
    case .metadata: "gpkg_metadata"
    case .relatedTables: "gpkg_related_tables"
    }
  }

  /// Where it is defined.
  var definition: String {
    switch self {
    case .spatialIndex: "http://www.geopackage.org/spec120/#extension_rtree"
    case .schema: "http://www.geopackage.org/spec121/#extension_schema"
    case .metadata: "http://www.geopackage.org/spec120/#extension_metadata"
    case .relatedTables: "http://www.geopackage.org/18-000.html"
    }
  }

  /// Whether readers may ignore it.
  var scope: String { self == .spatialIndex ? "write-only" : "read-write" }
}
