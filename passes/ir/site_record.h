/* site_record - how the accesses of a site leave the device (probe_abi.h). */
#ifndef SITE_RECORD_H
#define SITE_RECORD_H

enum site_record {
	RECORD_POINT, /* each on its own, where it happens */
	RECORD_RUN,   /* those of an activation of the site's loop together, where that is left */
	RECORD_GRID,  /* those of an activation of the loop around that, likewise */
	RECORD_COMPANION, /* with the point of another site: the address differs by what is known */
};

#endif
